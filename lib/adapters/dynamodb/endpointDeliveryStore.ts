import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { DeliveryId, EndpointDeliveries } from '../../events/endpoints/ports.ts'
import { madeAt } from '../../events/newDelivery.ts'
import type { Delivery, EndpointName } from '../../events/ports.ts'
import { parseDelivery } from './deliveryStore.ts'
import { writeForOwner } from './endpointStore.ts'
import { deliveryKey, deliveryPartition, endpointKey } from './eventKeys.ts'
import { type DueKey, LISTED_DAYS, putDelivery } from './eventStore.ts'
import { readParsed } from './kit/readItems.ts'
import { readPage } from './kit/readPage.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import type { TableNames } from './tables.ts'

const DAY = 86_400_000

function keyOf({ endpointId, id }: DeliveryId) {
  return deliveryKey({ endpointId, createdAt: madeAt(id), id })
}

/** With it, disabling an endpoint either prevents a delivery or finds it among the pending deliveries, which it ends. */
function checkEnabled(TableName: string, { owner, id }: EndpointName): TransactItem {
  return {
    ConditionCheck: {
      TableName,
      Key: endpointKey(owner, id),
      ConditionExpression: 'enabled = :true',
      ExpressionAttributeValues: { ':true': true },
    },
  }
}

/** DynamoDB deletes what has expired within some days only. */
function isExpired({ createdAt }: Delivery, now: number): boolean {
  return createdAt <= now - LISTED_DAYS * DAY
}

/** `EndpointDeliveries` on DynamoDB, in the table `events`; owners in `billing`, their grants in `accounts`. */
export function createEndpointDeliveries(
  client: DynamoDBDocumentClient,
  { events: TableName, ...tables }: TableNames & { readonly events: string },
): EndpointDeliveries {
  return {
    async list(endpointId, { limit, after, status, now }) {
      const list = { TableName, pk: deliveryPartition(endpointId), parse: parseDelivery }
      const { entries: deliveries, next } = await readPage(client, list, {
        limit,
        after,
        isOver: (delivery) => isExpired(delivery, now),
        isWanted: status && ((delivery) => delivery.status === status),
      })
      return { deliveries, ...(next !== undefined && { next }) }
    },

    async find(name, now) {
      const found = await readParsed(client, TableName, keyOf(name), { parse: parseDelivery })
      return found && !isExpired(found, now) ? found : undefined
    },

    async add(delivery, by) {
      const { owner, endpointId } = delivery
      const result = await writeForOwner(
        client,
        tables,
        { owner, ...(by && { by }) },
        {
          delivery: putDelivery(TableName, delivery),
          endpoint: checkEnabled(TableName, { owner, id: endpointId }),
        },
      )
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async resend(name, now, of) {
      const dueKey: DueKey = 'DELIVERY'
      const update = {
        TableName,
        Key: keyOf(name),
        // As new: the stream and the index find it again.
        UpdateExpression:
          'SET #status = :pending, attempts = :none, dueKey = :key, dueAt = :now, nextAttemptAt = :now REMOVE firstAttemptAt',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':pending': 'pending', ':none': 0, ':key': dueKey, ':now': now },
      }
      const result = await writeForOwner(client, tables, of, {
        delivery: { Update: update },
        endpoint: checkEnabled(TableName, { owner: of.owner, id: name.endpointId }),
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
