import type { Caller } from '../../core/identity.ts'
import { notify } from '../../mail/notify.ts'
import type { Account } from '../../users/ports.ts'
import type { CompleteFactorResetDeps, FactorResetDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import { resetDone } from '../mails.ts'
import type { FactorReset, UserAuthenticators } from '../ports.ts'
import { mayStop, type ResetState, resetStateOf } from './resetState.ts'

/** A user's account, as far as a request depends on it. */
export type ResetAccount = Pick<Account, 'user' | 'securityRev' | 'credentialsRev' | 'previousPasswordSetAt'>

/** A user's request, its state, and the authenticators that it would remove. */
interface OwnReset {
  readonly state: ResetState
  readonly reset: FactorReset | undefined
  readonly authenticators: UserAuthenticators
}

/** The user's request to remove lost second factors, and its state. Throws CommonError `service_unavailable`. */
export async function readFactorReset(
  { authenticators, resets, clock }: Pick<FactorResetDeps, 'authenticators' | 'resets' | 'clock'>,
  account: Omit<ResetAccount, 'securityRev'>,
): Promise<OwnReset> {
  const { id } = account.user
  const [own, reset] = await Promise.all([authenticators.list(id), resets.find(id)])
  return { state: resetStateOf(reset, own, { ...account, now: clock.now() }), reset, authenticators: own }
}

/**
 * Removes every second factor of the user, once, when the request is due, ends every session and grant, and mails the user. From then on the
 * password alone signs in. Recovery codes and a pending enrollment end too.
 * @throws AuthenticatorError `reset_not_due`, also if an older factor was used meanwhile, or the removal is completed by now; CommonError
 *   `service_unavailable`, after which it may be done: `readFactorReset` shows it
 */
export async function completeFactorReset(deps: CompleteFactorResetDeps, account: ResetAccount): Promise<void> {
  const { state, reset, authenticators } = await readFactorReset(deps, account)
  const isDone = state === 'due' && reset !== undefined && (await deps.resets.complete(account, reset, authenticators))
  if (!isDone) throw new AuthenticatorError('reset_not_due')
  await deps.activity.record(account.user.id, 'factor_removed')
  const look = { branding: deps.branding, language: reset.language }
  await notify(deps, resetDone(look, { to: account.user.email, accountUrl: deps.accountUrl }))
}

/**
 * Stops the request to remove the caller's second factors: the user still has a factor, so another person made the request, or the user
 * found the factor again. The caller must have checked for a recent sign-in with a second factor.
 * @param signedInAt Unix milliseconds
 * @throws AuthenticatorError `reset_not_found` if there is none, or it is completed by now; `reset_not_stopped` if the sign-in was with a
 *   factor whose use does not void the request; CommonError `invalid_token`, `service_unavailable`
 */
export async function cancelFactorReset(
  { accounts, authenticators, resets }: Pick<FactorResetDeps, 'accounts' | 'authenticators' | 'resets'>,
  caller: Caller,
  signedInAt: number,
): Promise<void> {
  const { userId } = caller
  const [account, own, reset] = await Promise.all([
    accounts.findCaller(caller),
    authenticators.list(userId),
    resets.find(userId),
  ])
  if (reset !== undefined && !mayStop(reset, { own, account }, signedInAt))
    throw new AuthenticatorError('reset_not_stopped')
  const isCanceled = reset !== undefined && (await resets.cancel(caller, reset.id))
  if (!isCanceled) throw new AuthenticatorError('reset_not_found')
}

/**
 * Forgets a request that is void, before the authenticator whose use voided it is removed. A valid request stays.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function forgetVoidReset(
  deps: Pick<FactorResetDeps, 'accounts' | 'authenticators' | 'resets' | 'clock'>,
  caller: Caller,
): Promise<void> {
  const { state, reset } = await readFactorReset(deps, await deps.accounts.findCaller(caller))
  if (state === 'none' && reset !== undefined) await deps.resets.cancel(caller, reset.id)
}
