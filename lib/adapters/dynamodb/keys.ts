import type { UserId } from '../../core/ids.ts'
import type { Key } from './kit/readItems.ts'

/** The key of a user, in the table `accounts`. */
export function userKey(userId: UserId): Key {
  return { pk: `USER#${userId}`, sk: 'USER' }
}
