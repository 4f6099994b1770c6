import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventDraft, StoredEvent } from '../../events/event.ts'
import type { Delivery } from '../../events/ports.ts'
import { deliveryKey, eventKey, onceKey, outboxKey, ownerPartition, sequenceKey } from './eventKeys.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'

const DAY = 86_400_000
/** How long events and their deliveries are listed. */
export const LISTED_DAYS = 30
/** How long the event of a fact that may be seen again is remembered. */
const REMEMBERED_DAYS = 400

/** Partitions of the index `due`: events without a number, and deliveries that are not settled. */
export type DueKey = 'OUTBOX' | 'DELIVERY'

/** Unix seconds, for the time to live. */
export function expiryOf(at: number, days: number): number {
  return Math.ceil((at + days * DAY) / 1000)
}

/**
 * Adds an event to the transaction that writes its fact. Only a `once` event has a condition of its own, which fails if it was announced before:
 * for every other the condition of the fact decides.
 * @param table undefined for a function that announces nothing
 */
export function putEvent(table: string | undefined, draft: EventDraft): TransactItem[] {
  if (table === undefined) throw new Error('This function has no table of events')
  const { once, ...kept } = draft
  const dueKey: DueKey = 'OUTBOX'
  const put = { Put: { TableName: table, Item: { ...outboxKey(draft), ...kept, dueKey, dueAt: draft.at } } }
  if (once === undefined) return [put]
  const Item = { ...onceKey(draft), expiresAt: expiryOf(draft.at, REMEMBERED_DAYS) }
  return [{ Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' } }, put]
}

/**
 * Announces a fact that is kept elsewhere, unless it was announced before.
 * @throws CommonError `service_unavailable`
 */
export async function announceOnce(
  client: DynamoDBDocumentClient,
  table: string | undefined,
  draft: Omit<EventDraft, 'once'>,
): Promise<void> {
  await transactWrite(client, { event: putEvent(table, { ...draft, once: true }) })
}

/** The writes that give an event its number, `sequence`, and make its deliveries. */
export function relayWrites(TableName: string, event: StoredEvent, draft: EventDraft, deliveries: readonly Delivery[]) {
  const { organizationId, sequence } = event
  return {
    counter: {
      Update: {
        TableName,
        Key: sequenceKey(organizationId),
        UpdateExpression: 'SET #last = :sequence',
        ConditionExpression: sequence === 1 ? 'attribute_not_exists(pk)' : '#last = :before',
        ExpressionAttributeNames: { '#last': 'last' },
        ExpressionAttributeValues: { ':sequence': sequence, ...(sequence > 1 && { ':before': sequence - 1 }) },
      },
    },
    event: {
      Put: {
        TableName,
        Item: { ...eventKey(event), ...event, expiresAt: expiryOf(event.at, LISTED_DAYS) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    outbox: { Delete: { TableName, Key: outboxKey(draft), ConditionExpression: 'attribute_exists(pk)' } },
    deliveries: deliveries.map((delivery) => putDelivery(TableName, delivery)),
  }
}

/** Stores a new delivery, due when it was made. */
export function putDelivery(TableName: string, delivery: Delivery): TransactItem {
  const { owner, event, ...kept } = delivery
  const dueKey: DueKey = 'DELIVERY'
  return {
    Put: {
      TableName,
      Item: {
        ...deliveryKey(delivery),
        ...kept,
        owner: ownerPartition(owner),
        ...('body' in event ? event : { event: eventKey(event) }),
        dueKey,
        dueAt: delivery.createdAt,
        expiresAt: expiryOf(delivery.createdAt, LISTED_DAYS),
      },
    },
  }
}
