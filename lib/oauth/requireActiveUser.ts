import type { UserId } from '../core/ids.ts'
import type { Users } from '../users/ports.ts'
import { OAuthError } from './errors.ts'

/**
 * Refuses tokens for a user who is gone or was switched off after the grant.
 * @throws OAuthError `invalid_grant`
 */
export async function requireActiveUser(users: Pick<Users, 'find'>, userId: UserId): Promise<void> {
  const user = await users.find(userId)
  if (!user?.isActive) throw new OAuthError('invalid_grant', { message: 'user is not active' })
}
