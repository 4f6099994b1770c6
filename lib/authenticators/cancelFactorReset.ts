import type { Caller } from '../core/identity.ts'
import type { FactorResetDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'

/**
 * Takes back the request to remove the caller's second factors, approved or not: who still has one was not the one who asked, or has found it
 * again. The caller has asked for a recent sign-in with a second factor.
 * @throws AuthenticatorError `reset_not_found` where there is none, or it is done by now; CommonError `invalid_token`, `service_unavailable`
 */
export async function cancelFactorReset({ resets }: Pick<FactorResetDeps, 'resets'>, caller: Caller): Promise<void> {
  const reset = await resets.find(caller.userId)
  const isCanceled = reset !== undefined && (await resets.cancel(caller, reset.id))
  if (!isCanceled) throw new AuthenticatorError('reset_not_found')
}
