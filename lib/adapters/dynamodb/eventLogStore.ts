import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { organizationIdSchema } from '../../core/ids.ts'
import type { StoredEvent } from '../../events/event.ts'
import { factTypes } from '../../events/eventTypes.ts'
import type { EventLog } from '../../events/ports.ts'
import { EVENT, ownerPartition } from './eventKeys.ts'
import { expiryOf, LISTED_DAYS } from './eventStore.ts'
import type { Item } from './kit/readItems.ts'
import { readPage } from './kit/readPage.ts'

const eventItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  type: z.enum(factTypes),
  at: z.int(),
  sequence: z.int(),
  body: z.string(),
})

function parseEvent(item: Item): StoredEvent {
  return eventItem.parse(item)
}

/** `EventLog` on DynamoDB, in the table `events`. */
export function createEventLog(client: DynamoDBDocumentClient, TableName: string): EventLog {
  return {
    async list(organizationId, { limit, after, type, now }) {
      const list = { TableName, pk: ownerPartition(organizationId), prefix: EVENT, parse: parseEvent }
      const { entries: events, next } = await readPage(client, list, {
        limit,
        after,
        // DynamoDB deletes what has expired within some days only.
        isOver: ({ at }) => expiryOf(at, LISTED_DAYS) * 1000 <= now,
        isWanted: type && ((event) => event.type === type),
      })
      return { events, ...(next !== undefined && { next }) }
    },
  }
}
