import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { DueResetStep, DueResetSteps, ResetSchedule } from '../../authenticators/ports.ts'
import { type UserId, userIdSchema } from '../../core/ids.ts'
import { languages } from '../../core/language.ts'
import { type Key, queryItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { deleteItem } from './kit/writeItem.ts'

/** A partition of `accounts` holds the steps of all requests, sorted by time: a consistent query reads the due steps. */
const PARTITION = 'FACTOR_RESET'

const stepItem = z.object({
  step: z.enum(['half_time', 'day_before', 'effect', 'removed', 'totp_removed']),
  at: z.int(),
  userId: userIdSchema,
  effectiveAt: z.int(),
  language: z.optional(z.enum(languages)),
})

/** RFC 3339 with milliseconds: text in the order of time. */
const timeOf = (at: number) => new Date(at).toISOString()

function stepKey({ step, at, userId }: DueResetStep): Key {
  return { pk: PARTITION, sk: `${timeOf(at)}#${step}#${userId}` }
}

/** Stores the steps of a request until they are due; in the transaction that writes the request. */
export function putResetSteps(
  TableName: string,
  userId: UserId,
  { effectiveAt, steps }: ResetSchedule,
): TransactItem[] {
  return steps.map(({ step, at }) => putResetStep(TableName, { step, at, userId, effectiveAt }))
}

export function putResetStep(TableName: string, due: DueResetStep): TransactItem {
  return { Put: { TableName, Item: { ...stepKey(due), ...due } } }
}

/** The steps of requests to remove lost second factors, in the table `accounts`. */
export function createDueResetSteps(client: DynamoDBDocumentClient, TableName: string): DueResetSteps {
  return {
    async list(now) {
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk < :after',
        ExpressionAttributeValues: { ':pk': PARTITION, ':after': timeOf(now + 1) },
      })
      return items.map((item) => stepItem.parse(item))
    },
    dismiss: (due) => deleteItem(client, TableName, stepKey(due)),
  }
}
