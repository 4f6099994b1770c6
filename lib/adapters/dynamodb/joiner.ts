import type { UserId } from '../../core/ids.ts'
import type { Joiner } from '../../organizations/ports.ts'
import { claimAccount } from './account.ts'
import type { TransactItem, WriteResult } from './transactWrite.ts'
import { newUserItems, userKey } from './user.ts'

export function userIdOf(joiner: Joiner): UserId {
  if (joiner.kind === 'sign_in') return joiner.id
  return joiner.kind === 'register' ? joiner.user.id : joiner.account.user.id
}

/** What a transaction that makes someone a member checks of the account, or writes to it. */
export function joinerItems(TableName: string, joiner: Joiner): TransactItem[] {
  if (joiner.kind === 'register') return newUserItems(TableName, joiner.user, joiner.passwordHash)
  if (joiner.kind === 'claim') return [claimAccount(TableName, joiner.account, joiner.passwordHash)]
  return [
    {
      ConditionCheck: {
        TableName,
        Key: userKey(joiner.id),
        ConditionExpression: 'email = :email AND isVerified = :true AND isActive = :true',
        ExpressionAttributeValues: { ':email': joiner.email, ':true': true },
      },
    },
  ]
}

/** Whether the name of a new user, the second of its items, is all that was in the way of a transaction that begins with them. */
export function isOnlyNameTaken(results: readonly WriteResult[]): boolean {
  return results.every(({ failed }, at) => failed === (at === 1))
}
