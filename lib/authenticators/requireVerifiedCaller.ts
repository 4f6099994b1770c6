import type { Caller } from '../core/identity.ts'
import type { User } from '../users/ports.ts'
import type { AuthenticatorDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'

/**
 * Returns the calling user. Only users with a verified address may add an authenticator: an unproven account belongs to the person who
 * proves its address, and must not bring another person's keys.
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
