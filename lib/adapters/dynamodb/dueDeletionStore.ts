import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type Deletion, type DueDeletion, REMINDER } from '../../core/deletion.ts'
import { type Key, queryItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { deleteItem } from './kit/writeItem.ts'

/**
 * A partition of each table holds the pending deletions, sorted by the time of their next step. A consistent query
 * reads the due steps; nothing scans a table.
 */
const PARTITION = 'DELETION'

const stepSchema = z.enum(['remind', 'erase'])
const dueItem = z.object({ step: stepSchema, id: z.string(), eraseAfter: z.int() })

/** RFC 3339 with milliseconds: text in the order of time. */
const timeOf = (at: number) => new Date(at).toISOString()

function dueKey({ step, id, eraseAfter }: DueDeletion<string>): Key {
  const at = step === 'remind' ? eraseAfter - REMINDER : eraseAfter
  return { pk: PARTITION, sk: `${timeOf(at)}#${step}#${id}` }
}

/** Stores the steps of a deletion until they are due; in the transaction that writes the deletion. */
export function putDue(
  TableName: string,
  id: string,
  { eraseAfter }: Pick<Deletion, 'eraseAfter'>,
  steps: readonly DueDeletion<string>['step'][] = stepSchema.options,
): TransactItem[] {
  return steps.map((step) => {
    const due = { step, id, eraseAfter }
    return { Put: { TableName, Item: { ...dueKey(due), ...due } } }
  })
}

/** Deletes the steps of a deletion, done or not. */
export function deleteDue(TableName: string, id: string, { eraseAfter }: Pick<Deletion, 'eraseAfter'>): TransactItem[] {
  return stepSchema.options.map((step) => ({ Delete: { TableName, Key: dueKey({ step, id, eraseAfter }) } }))
}

/** Lists and dismisses the due steps of a table. Throws CommonError `service_unavailable`. */
export function createDueDeletions<Id extends string>(
  client: DynamoDBDocumentClient,
  TableName: string,
  parseId: (id: string) => Id,
) {
  return {
    /** Every step that is due at `now`, in Unix milliseconds, the earliest first. Consistent. */
    async listDue(now: number): Promise<DueDeletion<Id>[]> {
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk < :after',
        ExpressionAttributeValues: { ':pk': PARTITION, ':after': timeOf(now + 1) },
      })
      return items.map((item) => {
        const { id, ...due } = dueItem.parse(item)
        return { ...due, id: parseId(id) }
      })
    },

    /** Deletes a step when it is done, or when there is nothing left to do. */
    dismiss: (due: DueDeletion<Id>): Promise<void> => deleteItem(client, TableName, dueKey(due)),
  }
}
