import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Challenges, ChallengeUse } from '../../authenticators/ports.ts'
import { userIdSchema } from '../../core/ids.ts'
import { readParsed } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { putItem } from './kit/writeItem.ts'

function challengeKey(challenge: string) {
  return { pk: `CHALLENGE#${createHash('sha256').update(challenge).digest('base64url')}`, sk: 'CHALLENGE' }
}

const challengeItem = z.object({
  purpose: z.enum(['registration', 'only_factor', 'second_factor']),
  userId: z.optional(userIdSchema),
  validUntil: z.int(),
})

/** Removes a challenge when it is used. Fails if it was used before or has expired. */
export function consumeChallenge(TableName: string, { challenge, now }: ChallengeUse): TransactItem {
  return {
    Delete: {
      TableName,
      Key: challengeKey(challenge),
      ConditionExpression: 'validUntil > :now',
      ExpressionAttributeValues: { ':now': now },
    },
  }
}

/** Challenges of WebAuthn, in the table `accounts`, by their digest. DynamoDB deletes them some time after their end. */
export function createChallenges(client: DynamoDBDocumentClient, TableName: string): Challenges {
  return {
    async issue(challenge, record) {
      const expiresAt = Math.ceil(record.validUntil / 1000)
      await putItem(client, TableName, { ...challengeKey(challenge), ...challengeItem.parse(record), expiresAt })
    },

    find: (challenge) => readParsed(client, TableName, challengeKey(challenge), challengeItem),
  }
}
