import { CommonError } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import type { User, Users } from './ports.ts'

/**
 * The signed-in user.
 * @throws CommonError `unauthorized` for a user who is gone or switched off, whose token may live on for minutes
 */
export async function getUser(users: Users, userId: UserId): Promise<User> {
  const user = await users.find(userId)
  if (!user?.isActive) throw new CommonError('unauthorized', { message: 'user is not active' })
  return user
}
