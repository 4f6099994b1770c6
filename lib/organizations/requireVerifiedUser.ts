import { CommonError } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import type { User, Users } from '../users/ports.ts'
import { OrganizationError } from './errors.ts'

/**
 * The signed-in user, whose e-mail address is known to be theirs.
 * @throws CommonError `unauthorized` for a user who is gone or switched off; OrganizationError `email_not_verified`
 */
export async function requireVerifiedUser(users: Pick<Users, 'find'>, userId: UserId): Promise<User> {
  const user = await users.find(userId)
  if (!user?.isActive) throw new CommonError('unauthorized', { message: 'user is not active' })
  if (!user.isVerified) throw new OrganizationError('email_not_verified')
  return user
}
