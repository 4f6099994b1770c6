import type { RequestFactorResetDeps } from '../authenticators/deps.ts'
import { AuthenticatorError } from '../authenticators/errors.ts'
import { completeFactorReset, readFactorReset, requestFactorReset } from '../authenticators/recovery/resetFactors.ts'
import type { Language } from '../core/language.ts'
import type { SignedIn } from '../users/ports.ts'
import { type PendingDeps, readPendingSignIn } from './pendingSignIn.ts'

export interface LostFactorDeps extends RequestFactorResetDeps, Pick<PendingDeps, 'pendingSignIns'> {}

/** What users do about lost second factors: read the state of their request, request the removal, or complete it. */
type LostFactorAction = 'read' | 'request' | 'complete'

/** The state of the request of a user who has lost every second factor. Times are Unix milliseconds. */
export type LostFactorState =
  | { readonly state: 'none' | 'awaiting_approval' | 'done' }
  | { readonly state: 'waiting' | 'due'; readonly effectiveAt: number }

/**
 * Lets users who entered the right password, but have lost every second factor, request the removal of these factors. After the waiting time
 * the password alone signs in again. Starts no session.
 * @param secret in the session cookie; the caller has checked that this browser was given the form
 * @returns undefined if no sign-in is pending in this browser
 * @throws CommonError `service_unavailable`
 */
export async function lostFactor(
  deps: LostFactorDeps,
  { secret, action, language }: { secret: string; action: LostFactorAction; language: Language },
): Promise<LostFactorState | undefined> {
  const pending = await readPendingSignIn(deps, secret)
  if (pending === undefined) return undefined
  const user = { ...pending.user, securityRev: pending.securityRev }
  if (action === 'request') await orOutdated(requestFactorReset(deps, { user, language }))
  if (action === 'complete') {
    const isDone = await orOutdated(completeFactorReset(deps, { user, language }).then(() => true))
    if (isDone) return { state: 'done' }
  }
  return readState(deps, user)
}

async function readState(deps: LostFactorDeps, user: SignedIn): Promise<LostFactorState> {
  const { state, reset } = await readFactorReset(deps, user)
  if (state === 'none' || state === 'awaiting_approval') return { state }
  return { state, effectiveAt: reset?.effectiveAt ?? 0 }
}

/** If the page was outdated, the action is refused; the user is shown the current state. */
async function orOutdated<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step
  } catch (error) {
    if (error instanceof AuthenticatorError) return undefined
    throw error
  }
}
