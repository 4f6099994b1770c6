import type { Caller } from '../core/identity.ts'
import type { User } from '../users/ports.ts'
import type { AuthenticatorDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'

/**
 * The user who calls. Only a verified one may add an authenticator: an account whose address is not proven belongs to the one who proves
 * it, and must not come with the keys of another.
 * @throws AuthenticatorError `email_not_verified`; CommonError `invalid_token`, `service_unavailable`
 */
export async function requireVerifiedCaller(
  { accounts }: Pick<AuthenticatorDeps, 'accounts'>,
  caller: Caller,
): Promise<User> {
  const { user } = await accounts.findCaller(caller)
  if (!user.isVerified) throw new AuthenticatorError('email_not_verified')
  return user
}
