import type { Authentication } from '../../core/authentication.ts'
import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import { signInOf } from '../../core/stepUp.ts'
import type { User } from '../../users/ports.ts'
import type { ConnectedProviderDeps, FactorResetDeps } from '../deps.ts'
import { listAuthenticators, secondFactorsOf } from '../listAuthenticators.ts'
import type { UserAuthenticators } from '../ports.ts'
import { resetStateOf } from '../recovery/resetState.ts'
import { listConnectedProviders } from './connectedProviders.ts'
import type { SecurityStep } from './securityStep.ts'

/** The signed-in user of the hosted pages. */
export interface SecurityVisitor {
  /** The session in the user's list. */
  readonly id: string
  readonly user: User
  readonly securityRev: number
  readonly authentication: Authentication
  /** The browser in words, such as `Firefox on Linux`; undefined if it is not known. */
  readonly browser?: string | undefined
}

export function callerOfVisitor({ user, securityRev, authentication }: SecurityVisitor): Caller {
  return { userId: user.id, securityRev, authentication }
}

/**
 * Whether the sign-in is from the last 10 minutes, with a second factor if the account has one.
 * @param now Unix milliseconds
 */
export function isRecent({ authentication }: SecurityVisitor, own: UserAuthenticators, now: number): boolean {
  const { isRecent, level } = signInOf(authentication, now)
  return isRecent && (level === 'aal2' || secondFactorsOf(own).length === 0)
}

/** Runs a page's action; asks for a sign-in if the session has ended since it was read, for example by a new password. */
export async function orSignIn(run: () => Promise<SecurityStep>): Promise<SecurityStep> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CommonError && error.code === 'invalid_token') return { step: 'sign_in' }
    throw error
  }
}

/** The visitor's authenticators and connected providers, with a request to remove the authenticators. Throws as `listAuthenticators`. */
export async function overviewOf(
  deps: Pick<FactorResetDeps, 'accounts' | 'authenticators' | 'resets' | 'clock'> & ConnectedProviderDeps,
  visitor: SecurityVisitor,
) {
  const { user } = visitor
  const [list, reset] = await Promise.all([
    listAuthenticators(deps, callerOfVisitor(visitor)),
    deps.resets.find(user.id),
  ])
  const account = await deps.accounts.find(user.id)
  const providers = account === undefined ? [] : await listConnectedProviders(deps, account)
  const isPending = resetStateOf(reset, list, { ...account, now: deps.clock.now() }) !== 'none'
  const pending = isPending && reset ? { requestedAt: reset.requestedAt, effectiveAt: reset.effectiveAt } : undefined
  const { email, isVerified } = user
  return { step: 'overview', email, isVerified, list, providers, reset: pending } as const
}
