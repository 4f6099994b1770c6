import type { UserId } from '../../core/ids.ts'
import type { AuthenticatorRemoval } from '../../users/ports.ts'
import { authenticatorKey } from './authenticatorKeys.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { passkeyRemoval } from './passkeyStore.ts'

/** Whether a passkey or TOTP stays. */
export function keepsSecondFactor({ read, removed }: AuthenticatorRemoval): boolean {
  const keepsTotp = read.totp !== undefined && removed.totp === undefined
  return keepsTotp || read.passkeys.length > removed.passkeys.length
}

/**
 * The writes that remove authenticators while the user has exactly those that were read. Ends an enrollment that is pending. A request of the
 * user to remove lost factors is void by the new password; an operator's stays.
 */
export function authenticatorRemoval(TableName: string, userId: UserId, removal: AuthenticatorRemoval): TransactItem[] {
  const { read, removed } = removal
  const single = (kind: 'TOTP' | 'RECOVERY_CODES', own: { createdAt: number } | undefined, isRemoved: boolean) => {
    const item = { TableName, Key: authenticatorKey(userId, kind), ...isAsRead(own) }
    return isRemoved ? { Delete: item } : { ConditionCheck: item }
  }
  return [
    countOf(TableName, userId, removal),
    ...removed.passkeys.flatMap(({ id }) => passkeyRemoval(TableName, userId, { id })),
    single('TOTP', read.totp, removed.totp !== undefined),
    single('RECOVERY_CODES', read.recoveryCodes, removed.recoveryCodes !== undefined),
    { Delete: { TableName, Key: authenticatorKey(userId, 'TOTP_PENDING') } },
  ]
}

function isAsRead(own: { createdAt: number } | undefined) {
  if (own === undefined) return { ConditionExpression: 'attribute_not_exists(pk)' }
  return { ConditionExpression: 'createdAt = :createdAt', ExpressionAttributeValues: { ':createdAt': own.createdAt } }
}

/** Counts removed passkeys out; passkeys are all that were read, by their number. */
function countOf(TableName: string, userId: UserId, { read, removed }: AuthenticatorRemoval): TransactItem {
  const all = read.passkeys.length
  const item = {
    TableName,
    Key: authenticatorKey(userId, 'PASSKEY_COUNT'),
    ConditionExpression: all === 0 ? 'attribute_not_exists(passkeys) OR passkeys = :all' : 'passkeys = :all',
    ExpressionAttributeValues: { ':all': all },
  }
  if (removed.passkeys.length === 0) return { ConditionCheck: item }
  const ExpressionAttributeValues = { ...item.ExpressionAttributeValues, ':change': -removed.passkeys.length }
  return { Update: { ...item, UpdateExpression: 'ADD passkeys :change', ExpressionAttributeValues } }
}
