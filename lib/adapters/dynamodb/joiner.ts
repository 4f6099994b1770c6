import type { UserId } from '../../core/ids.ts'
import type { Joiner, Role } from '../../organizations/ports.ts'
import { admitOwner, claimAccount } from './accountStore.ts'
import { whileLive } from './callerStore.ts'
import type { NamedItems } from './kit/transactWrite.ts'
import { userKey } from './userKey.ts'
import { newUserItems } from './userStore.ts'

export function userIdOf(joiner: Joiner): UserId {
  if (joiner.kind === 'sign_in') return joiner.caller.userId
  return joiner.kind === 'register' ? joiner.user.id : joiner.account.user.id
}

type JoinerItems = NamedItems<'user' | 'username' | 'email' | 'names'>

/** What a transaction that makes someone a member of this role checks of the account, or writes to it. */
export function joinerItems(TableName: string, joiner: Joiner, role: Role): JoinerItems {
  if (joiner.kind === 'register') return newUserItems(TableName, joiner.user, joiner.passwordHash)
  if (joiner.kind === 'claim') return claimAccount(TableName, joiner.account, joiner.passwordHash)
  const { ConditionExpression, ExpressionAttributeValues } = whileLive(joiner.caller)
  const isOwnAddress = {
    ConditionExpression: `email = :email AND isVerified = :true AND ${ConditionExpression}`,
    ExpressionAttributeValues: { ':email': joiner.email, ...ExpressionAttributeValues },
  }
  const { userId } = joiner.caller
  if (role === 'owner') return { user: admitOwner(TableName, userId, isOwnAddress) }
  return { user: { ConditionCheck: { TableName, Key: userKey(userId), ...isOwnAddress } } }
}
