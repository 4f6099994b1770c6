import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { organizationIdSchema } from '../../core/ids.ts'
import type { EventDraft } from '../../events/event.ts'
import { factTypes } from '../../events/eventTypes.ts'
import type { Outbox } from '../../events/ports.ts'
import { orderEvents } from '../../events/relay/orderEvents.ts'
import { OUTBOX, organizationOfPartition, ownerPartition, sequenceKey } from './eventKeys.ts'
import { type DueKey, relayWrites } from './eventStore.ts'
import { queryItems, readParsed } from './kit/readItems.ts'
import { transactWriteOrConflict } from './kit/transactWrite.ts'

const draftItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  type: z.enum(factTypes),
  at: z.int(),
  subject: z.string(),
  revision: z.int(),
  data: z.record(z.string(), z.unknown()),
})
const counterItem = z.object({ last: z.int() })
const dueItem = z.object({ pk: z.string() })

/** `Outbox` on DynamoDB, in the table `events`. */
export function createOutbox(client: DynamoDBDocumentClient, TableName: string): Outbox {
  return {
    async read(organizationId) {
      // The count first: if it is old, the first write refuses it.
      const counter = await readParsed(client, TableName, sequenceKey(organizationId), counterItem)
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        // A later revision is read before an earlier revision. So whenever a revision was found, the earlier revisions, which were written before
        // it, are found too: a page never shows a gap.
        ScanIndexForward: false,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :outbox)',
        ExpressionAttributeValues: { ':pk': ownerPartition(organizationId), ':outbox': OUTBOX },
      })
      const waiting: EventDraft[] = items.map((item) => draftItem.parse(item))
      return { waiting: orderEvents(waiting), last: counter?.last ?? 0 }
    },

    async relay(event, draft, deliveries) {
      const result = await transactWriteOrConflict(client, relayWrites(TableName, event, draft, deliveries))
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async listWaiting(before) {
      const due: DueKey = 'OUTBOX'
      const items = await queryItems(client, {
        TableName,
        IndexName: 'due',
        KeyConditionExpression: 'dueKey = :due AND dueAt <= :before',
        ExpressionAttributeValues: { ':due': due, ':before': before },
      })
      const partitions = new Set(items.map((item) => dueItem.parse(item).pk))
      return [...partitions].map((pk) => organizationOfPartition(pk))
    },
  }
}
