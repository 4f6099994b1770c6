import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { RateLimits, RateWindow } from '../../core/rateLimits.ts'
import { updateItem } from './kit/writeItem.ts'

const counted = z.object({ admitted: z.int() })

/** Long enough for a first connection. Requests wait for the count, so a slower store counts as unavailable. */
const TIMEOUT_MS = 2000

/** The digest keeps ids and source IPs of callers out of the key, and the key short. */
function windowKey({ functionName, principal, startsAt }: RateWindow) {
  const digest = createHash('sha256').update(principal).digest('base64url')
  return { pk: `RATE#${functionName}#${digest}`, sk: `WINDOW#${startsAt}` }
}

/**
 * Counts of admitted requests in the table `accounts`, an item per window. DynamoDB deletes it some time after the window ends. When the
 * limit is reached, the condition fails and nothing is written. If an answer is lost, a request may be counted twice, never omitted.
 */
export function createRateLimits(client: DynamoDBDocumentClient, TableName: string): RateLimits {
  return {
    async admit(window, requests) {
      const update = {
        TableName,
        Key: windowKey(window),
        UpdateExpression: 'ADD admitted :one SET expiresAt = :end',
        ConditionExpression: 'attribute_not_exists(admitted) OR admitted < :limit',
        ExpressionAttributeValues: { ':one': 1, ':end': window.endsAt, ':limit': requests },
        ReturnValues: 'UPDATED_NEW',
      } as const
      const result = await updateItem(client, update, { abortSignal: AbortSignal.timeout(TIMEOUT_MS) })
      return result.kind === 'written' ? requests - counted.parse(result.item).admitted : undefined
    },
  }
}
