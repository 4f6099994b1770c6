import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Grant } from '../../core/grant.ts'
import type { Caller } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import { authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller, whileLive } from './callerStore.ts'
import { userKey } from './keys.ts'
import { storeUnavailable } from './kit/callStore.ts'
import { readItems } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'

const MAX_TRIES = 5
const passkeyCount = z.object({ passkeys: z.int() })

/**
 * Notes on the user's item if the account has a passkey or TOTP: a request can then be refused after reading only its caller. Replaces
 * `checkCaller` in the transaction that adds or removes an authenticator, because a transaction can write an item only once.
 */
export function markSecondFactor(
  TableName: string,
  caller: Grant & { userId: UserId },
  hasSecondFactor: boolean,
): TransactItem {
  const { ConditionExpression, ExpressionAttributeValues } = whileLive(caller)
  return {
    Update: {
      TableName,
      Key: userKey(caller.userId),
      UpdateExpression: 'SET hasSecondFactor = :has',
      ConditionExpression,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':has': hasSecondFactor },
    },
  }
}

/** The authenticators of a user. */
interface Owned {
  readonly passkeys: number
  readonly hasTotp: boolean
}

/** Whether a second factor is left after a removal, and the writes that hold this to be so. */
interface Remaining {
  readonly hasSecondFactor: boolean
  readonly writes: readonly TransactItem[]
}

/** After a passkey is removed: counts it out. */
export function remainingWithoutPasskey(TableName: string, userId: UserId): (owned: Owned) => Remaining {
  const count = (condition: { ConditionExpression: string; values: Record<string, number> } | undefined) => ({
    Update: {
      TableName,
      Key: authenticatorKey(userId, 'PASSKEY_COUNT'),
      UpdateExpression: 'ADD passkeys :change',
      ...(condition && { ConditionExpression: condition.ConditionExpression }),
      ExpressionAttributeValues: { ':change': -1, ...condition?.values },
    },
  })
  return ({ passkeys, hasTotp }) => {
    if (passkeys > 1) {
      const others = { ConditionExpression: 'passkeys > :one', values: { ':one': 1 } }
      return { hasSecondFactor: true, writes: [count(others)] }
    }
    const totp = { TableName, Key: authenticatorKey(userId, 'TOTP') }
    const ConditionExpression = hasTotp ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)'
    const last = { ConditionExpression: 'passkeys = :one', values: { ':one': 1 } }
    return {
      hasSecondFactor: hasTotp,
      writes: [{ ConditionCheck: { ...totp, ConditionExpression } }, count(hasTotp ? undefined : last)],
    }
  }
}

/** After TOTP is removed. */
export function remainingWithoutTotp(TableName: string, userId: UserId): (owned: Owned) => Remaining {
  return ({ passkeys }) => ({
    hasSecondFactor: passkeys > 0,
    writes: [
      {
        ConditionCheck: {
          TableName,
          Key: authenticatorKey(userId, 'PASSKEY_COUNT'),
          ConditionExpression: passkeys > 0 ? 'passkeys > :none' : 'attribute_not_exists(passkeys) OR passkeys = :none',
          ExpressionAttributeValues: { ':none': 0 },
        },
      },
    ],
  })
}

/**
 * Removes an authenticator, and notes if a second factor is left, in the same transaction.
 * @param factor the writes of the removal; they fail only if there is nothing to remove
 * @throws CommonError `invalid_token` if the caller's grant has ended; `service_unavailable`
 */
export async function removeMarked(
  client: DynamoDBDocumentClient,
  TableName: string,
  { by, factor, remaining }: { by: Caller; factor: readonly TransactItem[]; remaining: (owned: Owned) => Remaining },
): Promise<'removed' | 'not_found'> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { hasSecondFactor, writes } = remaining(await readOwned(client, TableName, by.userId))
    const caller = hasSecondFactor ? checkCaller(TableName, by) : markSecondFactor(TableName, by, false)
    const result = await transactWrite(client, { caller, factor, remaining: writes })
    if (result.kind === 'written') return 'removed'
    requireCallerPassed(result)
    if (result.failed.has('factor')) return 'not_found'
    // Another authenticator was added or removed since they were read: try again.
  }
  throw storeUnavailable(new Error('authenticators changed concurrently'))
}

async function readOwned(client: DynamoDBDocumentClient, TableName: string, userId: UserId): Promise<Owned> {
  const [countKey, totpKey] = [authenticatorKey(userId, 'PASSKEY_COUNT'), authenticatorKey(userId, 'TOTP')]
  const item = await readItems(client, TableName, [countKey, totpKey])
  const { passkeys = 0 } = z.optional(passkeyCount).parse(item(countKey)) ?? {}
  return { passkeys, hasTotp: item(totpKey) !== undefined }
}
