import { createHash } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import * as z from 'zod'
import type { AttemptRecord, AttemptSubject, Attempts } from '../../users/ports.ts'
import { callStore } from './callStore.ts'
import { transactWrite } from './transactWrite.ts'

/** The digest keeps email and network addresses out of the key, and the key short. */
function attemptsKey({ kind, subject }: AttemptSubject) {
  const digest = createHash('sha256').update(subject).digest('base64url')
  return { pk: `ATTEMPTS#${kind}#${digest}`, sk: 'ATTEMPTS' }
}

const attemptsItem = z.object({
  attempts: z.number().int(),
  blockedUntil: z.number().int().default(0),
  expiresAt: z.number().int(),
})

/** Counts of attempts in the table `accounts`: one item a subject, which DynamoDB deletes some time after `expiresAt`. */
export function createAttempts(client: DynamoDBDocumentClient, TableName: string): Attempts {
  return {
    async count(subject, { free, expiresAt }) {
      const command = new UpdateCommand({
        TableName,
        Key: attemptsKey(subject),
        UpdateExpression: 'ADD attempts :one SET expiresAt = :expiresAt',
        ConditionExpression: 'attribute_not_exists(attempts) OR attempts < :free',
        ExpressionAttributeValues: { ':one': 1, ':expiresAt': expiresAt, ':free': free },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      try {
        await callStore(() => client.send(command))
        return 'counted'
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error
        return attemptsItem.parse(unmarshall(error.Item ?? {}))
      }
    },

    async replace(subject, from, to) {
      const outcome = await transactWrite(client, [
        {
          Put: {
            TableName,
            Item: { ...attemptsKey(subject), ...attemptsItem.parse(to) },
            ConditionExpression: `attempts = :attempts AND expiresAt = :expiresAt AND ${blockedAt(from)}`,
            ExpressionAttributeValues: {
              ':attempts': from.attempts,
              ':expiresAt': from.expiresAt,
              ':blockedUntil': from.blockedUntil,
            },
          },
        },
      ])
      return outcome === null
    },
  }
}

/** A subject that never had to wait has no time stored. */
function blockedAt({ blockedUntil }: AttemptRecord): string {
  const same = 'blockedUntil = :blockedUntil'
  return blockedUntil === 0 ? `(attribute_not_exists(blockedUntil) OR ${same})` : same
}
