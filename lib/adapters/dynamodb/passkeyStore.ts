import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Passkey, Passkeys } from '../../authenticators/ports.ts'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import {
  additionAttributes,
  authenticatorKey,
  credentialKey,
  PASSKEY_PREFIX,
  passkeyKey,
  requireCallerPassed,
} from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { consumeChallenge } from './challengeStore.ts'
import { type Item, type Key, readItem } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { markSecondFactor, remainingWithoutPasskey, removeMarked } from './secondFactorMark.ts'

/** A passkey as stored. */
export const passkeyItem = z.object({
  id: z.string(),
  name: z.string(),
  publicKey: z.string(),
  counter: z.int(),
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  transports: z.array(z.string()),
  ...additionAttributes,
  lastUsedAt: z.int(),
})

const credentialItem = z.object({ userId: userIdSchema })

const isNew = { ConditionExpression: 'attribute_not_exists(pk)' }
const isStored = { ConditionExpression: 'attribute_exists(pk)' }

/**
 * Removes a passkey, so that its credential no longer signs in. With `unusedSince`, in Unix milliseconds, only if that was its last use.
 */
export function passkeyRemoval(
  TableName: string,
  userId: UserId,
  { id, unusedSince }: { id: string; unusedSince?: number },
): TransactItem[] {
  const condition =
    unusedSince === undefined
      ? isStored
      : { ConditionExpression: 'lastUsedAt = :seen', ExpressionAttributeValues: { ':seen': unusedSince } }
  return [
    { Delete: { TableName, Key: passkeyKey(userId, id), ...condition } },
    { Delete: { TableName, Key: credentialKey(id) } },
  ]
}

/** The key that finds a passkey without its user; none if the item is of another kind. */
export function credentialKeysIn(item: Item): Key[] {
  return String(item.sk).startsWith(PASSKEY_PREFIX) ? [credentialKey(passkeyItem.parse(item).id)] : []
}

/** The passkeys of users, and the credentials that lead to them, in the table `accounts`. */
export function createPasskeys(client: DynamoDBDocumentClient, TableName: string): Passkeys {
  /** Adds to the number of a user's passkeys. A separate item counts them, so that two concurrent additions cannot exceed the limit. */
  function countOneMore(userId: UserId, limit: number): TransactItem {
    return {
      Update: {
        TableName,
        Key: authenticatorKey(userId, 'PASSKEY_COUNT'),
        UpdateExpression: 'ADD passkeys :change',
        ConditionExpression: 'attribute_not_exists(passkeys) OR passkeys < :limit',
        ExpressionAttributeValues: { ':change': 1, ':limit': limit },
      },
    }
  }

  /** The passkey of this user with this id, for an update of it. */
  const own = (userId: UserId, id: string) => ({ TableName, Key: passkeyKey(userId, id) })

  return {
    async find(credentialId) {
      const held = z.optional(credentialItem).parse(await readItem(client, TableName, credentialKey(credentialId)))
      const item = held && (await readItem(client, TableName, passkeyKey(held.userId, credentialId)))
      return item && { userId: held.userId, passkey: passkeyItem.parse(item) }
    },

    async add(by, passkey, { limit, ...use }) {
      const { userId } = by
      const item: Passkey = passkeyItem.parse(passkey)
      const result = await transactWrite(client, {
        caller: markSecondFactor(TableName, by, true),
        challenge: consumeChallenge(TableName, use),
        credential: { Put: { TableName, Item: { ...credentialKey(passkey.id), userId }, ...isNew } },
        count: countOneMore(userId, limit),
        passkey: { Put: { TableName, Item: { ...passkeyKey(userId, passkey.id), ...item }, ...isNew } },
      })
      if (result.kind === 'written') return 'added'
      requireCallerPassed(result)
      const { failed } = result
      if (failed.has('challenge')) return 'challenge_used'
      return failed.has('count') && !failed.has('credential') ? 'too_many' : 'already_registered'
    },

    async rename(by, id, name) {
      const result = await transactWrite(client, {
        caller: checkCaller(TableName, by),
        passkey: {
          Update: {
            ...own(by.userId, id),
            UpdateExpression: 'SET #name = :name',
            ...isStored,
            ExpressionAttributeNames: { '#name': 'name' },
            ExpressionAttributeValues: { ':name': name },
          },
        },
      })
      requireCallerPassed(result)
      return result.kind === 'written' ? 'renamed' : 'not_found'
    },

    async remove(by, id) {
      return removeMarked(client, TableName, {
        by,
        factor: passkeyRemoval(TableName, by.userId, { id }),
        remaining: remainingWithoutPasskey(TableName, by.userId),
      })
    },

    async use(userId, id, { counter, backedUp, ...use }) {
      const result = await transactWrite(client, {
        challenge: consumeChallenge(TableName, use),
        passkey: {
          Update: {
            ...own(userId, id),
            UpdateExpression: 'SET #counter = :counter, backedUp = :backedUp, lastUsedAt = :now',
            // Both 0: an authenticator that does not count.
            ConditionExpression: '#counter < :counter OR (#counter = :zero AND :counter = :zero)',
            ExpressionAttributeNames: { '#counter': 'counter' },
            ExpressionAttributeValues: { ':counter': counter, ':zero': 0, ':backedUp': backedUp, ':now': use.now },
          },
        },
      })
      return result.kind === 'written' ? 'used' : 'refused'
    },
  }
}
