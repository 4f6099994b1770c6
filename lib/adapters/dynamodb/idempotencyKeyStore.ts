import type { DynamoDBDocumentClient, UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type IdempotencyKeys, KEY_LIFE_MS, type KeyRecord } from '../../core/idempotency.ts'
import { type Item, readItem } from './kit/readItems.ts'
import { updateItem } from './kit/writeItem.ts'

function recordKey(key: string) {
  return { pk: `IDEMPOTENCY#${key}`, sk: 'IDEMPOTENCY' }
}

const storedAnswer = z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })

const keyItem = z.object({
  bodyDigest: z.string(),
  resourceId: z.string(),
  leaseUntil: z.int(),
  /** Unix milliseconds; `expiresAt` has the second that DynamoDB may delete it after. */
  validUntil: z.int(),
  answer: z.exactOptional(storedAnswer),
})

/** `IdempotencyKeys` in the table `accounts`, an item per key. DynamoDB deletes it some time after 24 h. */
export function createIdempotencyKeys(client: DynamoDBDocumentClient, TableName: string): IdempotencyKeys {
  /** Null if it was written, else the stored record. */
  async function update(key: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<Item | null> {
    const condition = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const result = await updateItem(client, { TableName, Key: recordKey(key), ...change, ...condition })
    return result.kind === 'written' ? null : (result.stored ?? {})
  }

  function takeOver(key: string, found: KeyRecord, leaseUntil: number): Promise<Item | null> {
    return update(key, {
      UpdateExpression: 'SET leaseUntil = :until',
      ConditionExpression: 'resourceId = :id AND leaseUntil = :ended AND attribute_not_exists(answer)',
      ExpressionAttributeValues: { ':until': leaseUntil, ':id': found.resourceId, ':ended': found.leaseUntil },
    })
  }

  return {
    async find(key, now) {
      const item = await readItem(client, TableName, recordKey(key))
      return item && parseRecord(item, now)
    },

    async begin(key, use, now) {
      const taken = await update(key, {
        UpdateExpression:
          'SET bodyDigest = :digest, resourceId = :id, leaseUntil = :until, validUntil = :end, expiresAt = :seconds REMOVE answer',
        ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
        ExpressionAttributeValues: {
          ':digest': use.bodyDigest,
          ':id': use.resourceId,
          ':until': use.leaseUntil,
          ':end': now + KEY_LIFE_MS,
          ':seconds': Math.ceil((now + KEY_LIFE_MS) / 1000),
          ':now': now,
        },
      })
      const found = taken ? parseRecord(taken, now) : undefined
      if (found === undefined) return use
      if (found.answer || found.bodyDigest !== use.bodyDigest) return undefined
      if (use.leaseUntil <= now) return found
      const isFree = found.leaseUntil <= now && (await takeOver(key, found, use.leaseUntil)) === null
      return isFree ? { ...found, leaseUntil: use.leaseUntil } : undefined
    },

    async complete(key, held, { status, headers, body }) {
      await update(key, {
        UpdateExpression: 'SET answer = :answer',
        ConditionExpression: 'resourceId = :id AND attribute_not_exists(answer)',
        ExpressionAttributeValues: {
          ':answer': { status, headers, body: JSON.stringify(body) },
          ':id': held.resourceId,
        },
      })
    },

    async release(key, held) {
      await update(key, {
        UpdateExpression: 'SET leaseUntil = :ended',
        ConditionExpression: 'resourceId = :id AND leaseUntil = :held AND attribute_not_exists(answer)',
        ExpressionAttributeValues: { ':ended': 0, ':id': held.resourceId, ':held': held.leaseUntil },
      })
    },
  }
}

/** Undefined for a record that DynamoDB has not deleted yet. */
function parseRecord(item: Item, now: number): KeyRecord | undefined {
  const { bodyDigest, resourceId, leaseUntil, validUntil, answer } = keyItem.parse(item)
  if (validUntil <= now) return undefined
  const read = answer && { ...answer, body: z.json().parse(JSON.parse(answer.body)) }
  return { bodyDigest, resourceId, leaseUntil, answer: read }
}
