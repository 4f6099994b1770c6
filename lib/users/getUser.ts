import { CommonError } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import type { User, Users } from './ports.ts'

/**
 * The signed-in user.
 * @throws CommonError `unauthorized` for a deleted or inactive user, whose access token may still be valid for minutes
 */
export async function getUser(users: Users, userId: UserId): Promise<User> {
  const user = await users.find(userId)
  if (!user?.isActive) throw new CommonError('unauthorized', { message: 'user is not active' })
  return user
}
