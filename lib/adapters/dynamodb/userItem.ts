import * as z from 'zod'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import type { EmailKey } from '../../users/emailKey.ts'
import type { TransactItem } from './slot.ts'

export function userKey(userId: UserId) {
  return { pk: `USER#${userId}`, sk: 'USER' }
}

/** A user as stored, without what keeps the account safe. */
export const userItem = z.object({
  id: userIdSchema,
  email: z.string(),
  username: z.string(),
  isActive: z.boolean(),
  isVerified: z.boolean(),
  isSuperuser: z.boolean(),
  createdAt: z.number().int(),
})

/** Nothing stands under the key: the user is new, or the name or address free. */
export const isFree = { ConditionExpression: 'attribute_not_exists(pk)' }

export function emailItemKey(email: EmailKey) {
  return { pk: `EMAIL#${email}`, sk: 'EMAIL' }
}

/** Holds an address for one user; fails where it is held. */
export function holdEmail(TableName: string, email: EmailKey, userId: UserId): TransactItem {
  return { Put: { TableName, Item: { ...emailItemKey(email), userId }, ...isFree } }
}
