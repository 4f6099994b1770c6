import { CommonError } from '../core/errors.ts'
import type { Caller } from '../core/identity.ts'
import type { User, Users } from '../users/ports.ts'
import { OrganizationError } from './errors.ts'

/**
 * Returns the signed-in user if the email address is verified.
 * @throws CommonError `invalid_token` if the caller's grant has ended; OrganizationError `email_not_verified`
 */
export async function requireVerifiedUser(users: Pick<Users, 'findCaller'>, caller: Caller): Promise<User> {
  return requireVerified(await users.findCaller(caller))
}

/**
 * Returns the user of a caller whose grant was read before.
 * @throws CommonError `invalid_token` if the user is gone by now; OrganizationError `email_not_verified`
 */
export function requireVerified(user: User | undefined): User {
  if (!user?.isActive) throw new CommonError('invalid_token', { message: 'user is not active' })
  if (!user.isVerified) throw new OrganizationError('email_not_verified')
  return user
}
