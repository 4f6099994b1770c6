import type { CompleteFactorResetDeps, RequestFactorResetDeps } from '../authenticators/deps.ts'
import { AuthenticatorError } from '../authenticators/errors.ts'
import { listApprovers, type ResetApprovers } from '../authenticators/recovery/resetApprovers.ts'
import { completeFactorReset, type ResetAccount, readFactorReset } from '../authenticators/recovery/resetFactors.ts'
import type { Language } from '../core/language.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { mailApprovers } from './mailApprovers.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'
import { mailConfirmation, requestFactorReset } from './requestFactorReset.ts'

export interface LostFactorDeps
  extends RequestFactorResetDeps,
    Pick<CompleteFactorResetDeps, 'activity'>,
    Pick<PendingDeps, 'pendingSignIns'> {}

/** What users do about lost second factors. `send_again`: the mail that confirms the request, or then the mails to the owners. */
type LostFactorAction = 'read' | 'request' | 'send_again' | 'complete'

/** The state of the request of a user who has lost every second factor. Times are Unix milliseconds. */
export type LostFactorState =
  | { readonly state: 'none' | 'done' }
  /** `email`: the address that has the link. */
  | { readonly state: 'unconfirmed'; readonly email: string }
  | WaitingState

export interface WaitingState {
  readonly state: 'waiting' | 'due'
  readonly effectiveAt: number
  readonly isApproved: boolean
  /** Whose approval shortens the wait, as it is now. */
  readonly approvers: readonly ResetApprovers[]
}

/** What came of an action. `retryAfterSeconds`: so many mails were sent that there is none now. */
export type LostFactorStep = LostFactorState & { readonly retryAfterSeconds?: number | undefined }

/**
 * Lets users who entered the right password, but have lost every second factor, request the removal of these factors. 7 days after they
 * have confirmed it by mail, the password alone signs in again. Starts no session.
 * @param secret in the session cookie; the caller has checked that this browser was given the form
 * @returns undefined if no sign-in is pending in this browser
 * @throws CommonError `service_unavailable`
 */
export async function lostFactor(
  deps: LostFactorDeps,
  { secret, action, language }: { secret: string; action: LostFactorAction; language: Language },
): Promise<LostFactorStep | undefined> {
  const pending = await readPendingSignIn(deps, secret)
  if (pending === undefined) return undefined
  const { digest: _, browser: __, ...account } = pending
  try {
    if (action === 'request') await requestFactorReset(deps, { account, language })
    if (action === 'send_again') await sendAgain(deps, account)
    if (action === 'complete') {
      await completeFactorReset(deps, account)
      return { state: 'done' }
    }
  } catch (error) {
    if (error instanceof TooManyAttemptsError) {
      return { ...(await readState(deps, account)), retryAfterSeconds: error.retryAfterSeconds }
    }
    // The page was outdated: the user is shown the current state.
    if (!(error instanceof AuthenticatorError)) throw error
  }
  return readState(deps, account)
}

async function readState(deps: LostFactorDeps, account: ResetAccount): Promise<LostFactorState> {
  const { state, reset } = await readFactorReset(deps, account)
  if (reset?.effectiveAt === undefined || state === 'none' || state === 'unconfirmed') {
    return state === 'unconfirmed' ? { state, email: account.user.email } : { state: 'none' }
  }
  const { effectiveAt, approval, operated } = reset
  // No approval shortens what an operator has decided.
  const approvers = operated === undefined ? await listApprovers(deps, account) : []
  return { state, effectiveAt, isApproved: approval !== undefined, approvers }
}

async function sendAgain(deps: LostFactorDeps, account: ResetAccount): Promise<void> {
  const { state, reset } = await readFactorReset(deps, account)
  if (reset === undefined) return
  if (state === 'unconfirmed') await mailConfirmation(deps, account, reset)
  if (state !== 'waiting' || reset.approval !== undefined || reset.operated !== undefined) return
  const approvers = await listApprovers(deps, account)
  await mailApprovers(deps, account.user, { approvers, language: reset.language })
}
