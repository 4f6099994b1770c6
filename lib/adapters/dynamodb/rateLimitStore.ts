import { createHash } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { RateLimits, RateWindow } from '../../core/rateLimits.ts'
import { callStore } from './kit/callStore.ts'

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
      const command = new UpdateCommand({
        TableName,
        Key: windowKey(window),
        UpdateExpression: 'ADD admitted :one SET expiresAt = :end',
        ConditionExpression: 'attribute_not_exists(admitted) OR admitted < :limit',
        ExpressionAttributeValues: { ':one': 1, ':end': window.endsAt, ':limit': requests },
      })
      const abortSignal = AbortSignal.timeout(TIMEOUT_MS)
      try {
        await callStore(() => client.send(command, { abortSignal }))
        return true
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false
        throw error
      }
    },
  }
}
