import { CommonError } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import type { User, Users } from '../users/ports.ts'
import { OrganizationError } from './errors.ts'

/**
 * Returns the signed-in user, with a verified email address.
 * @throws CommonError `unauthorized` for a deleted or inactive user; OrganizationError `email_not_verified`
 */
export async function requireVerifiedUser(users: Pick<Users, 'find'>, userId: UserId): Promise<User> {
  const user = await users.find(userId)
  if (!user?.isActive) throw new CommonError('unauthorized', { message: 'user is not active' })
  if (!user.isVerified) throw new OrganizationError('email_not_verified')
  return user
}
