import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { DeliveryName, DeliveryQueue, Settlement, Turn } from '../../events/delivery/ports.ts'
import { eventTypeSchema } from '../../events/eventTypes.ts'
import type { Delivery, PendingDeliveries } from '../../events/ports.ts'
import { ownerText, parseServedEndpoint } from './endpointItem.ts'
import {
  DELIVERY,
  deliveryKey,
  deliveryPartition,
  ENDPOINT,
  EVENT,
  endpointKey,
  eventKey,
  noticeKey,
  organizationOfPartition,
  ownerPartition,
} from './eventKeys.ts'
import { type DueKey, expiryOf, LISTED_DAYS } from './eventStore.ts'
import { type Item, queryItems, readItems } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'

const key = z.object({ pk: z.string(), sk: z.string() })
const deliveryItem = z.object({
  id: z.uuid(),
  endpointId: z.uuid(),
  owner: ownerText,
  eventId: z.string(),
  eventType: eventTypeSchema,
  event: z.exactOptional(key),
  body: z.exactOptional(z.string()),
  createdAt: z.int(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  firstAttemptAt: z._default(z.nullable(z.int()), null),
  nextAttemptAt: z._default(z.nullable(z.int()), null),
  lastAttempt: z._default(
    z.nullable(
      z.object({
        at: z.int(),
        responseStatus: z.nullable(z.int()),
        responseBody: z.nullable(z.string()),
        error: z.nullable(z.string()),
      }),
    ),
    null,
  ),
})

/** A delivery as it is stored. */
export function parseDelivery(item: Item): Delivery {
  const { event, body, ...kept } = deliveryItem.parse(item)
  if (event === undefined) return { ...kept, event: { body: body ?? '' } }
  const sequence = Number(event.sk.slice(EVENT.length))
  return { ...kept, event: { organizationId: organizationOfPartition(event.pk), sequence } }
}

const dueItem = z.object({ pk: z.string(), sk: z.string(), owner: ownerText })

/** The name of a delivery, from an image of its item in the stream, or from the index. */
export function parseDeliveryName(item: Item): DeliveryName {
  const { pk, sk, owner } = dueItem.parse(item)
  const [createdAt = '', id = ''] = sk.slice(DELIVERY.length).split('#')
  return { owner, endpointId: pk.slice(ENDPOINT.length), createdAt: Number(createdAt), id }
}

/** A run reads about so many due deliveries: more than it can send in its time. */
const READ_AT_MOST = 50_000

const bodyItem = z.object({ body: z.string() })

/** How many deliveries are ended at once. */
const ENDED_AT_ONCE = 25

/** `DeliveryQueue` and `PendingDeliveries` on DynamoDB, in the table `events`. */
export function createDeliveryQueue(
  client: DynamoDBDocumentClient,
  TableName: string,
): DeliveryQueue & PendingDeliveries {
  const settledNames = { '#status': 'status' }

  return {
    async listDue(now) {
      const query = {
        TableName,
        IndexName: 'due',
        KeyConditionExpression: 'dueKey = :key AND dueAt <= :now',
        ExpressionAttributeValues: { ':key': 'DELIVERY' satisfies DueKey, ':now': now },
      }
      const items = await queryItems(client, query, { enough: READ_AT_MOST })
      return items.map(parseDeliveryName)
    },

    async takeTurn({ owner, id }, { now, until }) {
      for (const place of [0, 1] as const) {
        const result = await updateItem(client, {
          TableName,
          Key: endpointKey(owner, id),
          UpdateExpression: `SET turn${place} = :until`,
          ConditionExpression: `attribute_exists(pk) AND (attribute_not_exists(turn${place}) OR turn${place} < :now)`,
          ExpressionAttributeValues: { ':until': until, ':now': now },
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        })
        if (result.kind === 'written')
          return { kind: 'taken', turn: { place, until }, endpoint: parseServedEndpoint(result.item ?? {}) }
        if (result.stored === undefined) return { kind: 'gone' }
      }
      return { kind: 'busy' }
    },

    async endTurn({ owner, id }, { place, until }: Turn) {
      await updateItem(client, {
        TableName,
        Key: endpointKey(owner, id),
        UpdateExpression: `REMOVE turn${place}`,
        ConditionExpression: `turn${place} = :until`,
        ExpressionAttributeValues: { ':until': until },
      })
    },

    async claim(name, { now, until }) {
      const result = await updateItem(client, {
        TableName,
        Key: deliveryKey(name),
        UpdateExpression: 'SET dueAt = :until ADD attempts :one',
        ConditionExpression: '#status = :pending AND dueAt <= :now',
        ExpressionAttributeNames: settledNames,
        ExpressionAttributeValues: { ':until': until, ':one': 1, ':pending': 'pending', ':now': now },
        ReturnValues: 'ALL_OLD',
      })
      if (result.kind === 'refused') return undefined
      const delivery = parseDelivery(result.item ?? {})
      const { attempts, firstAttemptAt } = delivery
      return { ...delivery, attempts: attempts + 1, firstAttemptAt: firstAttemptAt ?? now, until }
    },

    async read({ owner, endpointId, event }) {
      const endpoint = endpointKey(owner, endpointId)
      const stored = 'body' in event ? undefined : eventKey(event)
      const find = await readItems(client, TableName, [endpoint, ...(stored ? [stored] : [])])
      const found = find(endpoint)
      return {
        endpoint: found && parseServedEndpoint(found),
        body: 'body' in event ? event.body : stored && z.optional(bodyItem).parse(find(stored))?.body,
      }
    },

    async settle(delivery, settlement) {
      const { set, remove, values } = settling(settlement)
      const { until, firstAttemptAt } = delivery
      const { status, attempts, lastAttempt } = settlement
      // A success counts even if the claim has lapsed.
      const isOwn = status === 'delivered' ? '' : ' AND dueAt = :until'
      await updateItem(client, {
        TableName,
        Key: deliveryKey(delivery),
        UpdateExpression: `SET #status = :status, attempts = :attempts, firstAttemptAt = :first, lastAttempt = :last, ${set}${remove}`,
        ConditionExpression: `#status = :pending${isOwn}`,
        ExpressionAttributeNames: settledNames,
        ExpressionAttributeValues: {
          ...values,
          ':status': status,
          ':attempts': attempts,
          ':first': firstAttemptAt,
          ':last': lastAttempt,
          ':pending': 'pending',
          ...(isOwn !== '' && { ':until': until }),
        },
      })
    },

    async noteTrouble({ owner, id }, { failedAt, slowUntil }) {
      const isFailure = failedAt !== undefined
      await updateItem(client, {
        TableName,
        Key: endpointKey(owner, id),
        UpdateExpression: `SET slowUntil = :slowUntil${isFailure ? ', failingSince = if_not_exists(failingSince, :at)' : ''}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':slowUntil': slowUntil, ...(isFailure && { ':at': failedAt }) },
      })
    },

    async noteSuccess({ owner, id }) {
      await updateItem(client, {
        TableName,
        Key: endpointKey(owner, id),
        UpdateExpression: 'REMOVE failingSince',
        ConditionExpression: 'attribute_exists(pk)',
      })
    },

    async disable({ owner, id, url, failingSince }, reason, now) {
      const isFailing = reason === 'failing'
      const notice = {
        owner: ownerPartition(owner),
        endpointId: id,
        url,
        at: now,
        dueAt: now,
        attempts: 0,
        expiresAt: expiryOf(now, LISTED_DAYS),
      }
      const result = await transactWrite(client, {
        endpoint: {
          Update: {
            TableName,
            Key: endpointKey(owner, id),
            UpdateExpression: 'SET enabled = :false, disabledReason = :reason REMOVE failingSince, slowUntil',
            ConditionExpression: `enabled = :true AND #url = :url${isFailing ? ' AND failingSince = :since' : ''}`,
            ExpressionAttributeNames: { '#url': 'url' },
            ExpressionAttributeValues: {
              ':false': false,
              ':true': true,
              ':reason': reason,
              ':url': url,
              ...(isFailing && { ':since': failingSince ?? 0 }),
            },
          },
        },
        notice:
          isFailing && owner !== 'operator'
            ? { Put: { TableName, Item: { ...noticeKey(id, now), ...notice } } }
            : undefined,
      })
      return result.kind === 'written'
    },

    async endAll(endpointId) {
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        ProjectionExpression: 'pk, sk',
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        FilterExpression: '#status = :pending',
        ExpressionAttributeNames: settledNames,
        ExpressionAttributeValues: { ':pk': deliveryPartition(endpointId), ':prefix': DELIVERY, ':pending': 'pending' },
      })
      const keys = items.map((item) => key.parse(item))
      const { set, remove, values } = settling({ status: 'failed' })
      for (let at = 0; at < keys.length; at += ENDED_AT_ONCE)
        await Promise.all(
          keys.slice(at, at + ENDED_AT_ONCE).map((Key) =>
            updateItem(client, {
              TableName,
              Key,
              UpdateExpression: `SET #status = :status, ${set}${remove}`,
              ConditionExpression: '#status = :pending',
              ExpressionAttributeNames: settledNames,
              ExpressionAttributeValues: { ...values, ':status': 'failed', ':pending': 'pending' },
            }),
          ),
        )
    },
  }
}

/** When the delivery is due again, or that it is not. */
function settling(settlement: Pick<Settlement, 'status'> & { next?: { kind: 'try' | 'end'; at: number } }) {
  const { next } = settlement
  if (next === undefined)
    return { set: 'nextAttemptAt = :next', remove: ' REMOVE dueKey, dueAt', values: { ':next': null } }
  const nextAttemptAt = next.kind === 'try' ? next.at : null
  return { set: 'nextAttemptAt = :next, dueAt = :due', remove: '', values: { ':next': nextAttemptAt, ':due': next.at } }
}
