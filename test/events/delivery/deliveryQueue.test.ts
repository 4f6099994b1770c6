import { DeleteCommand, GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { describe } from '@jest/globals'
import { createDeliveryQueue, parseDelivery } from '../../../lib/adapters/dynamodb/deliveryStore.ts'
import { parseServedEndpoint } from '../../../lib/adapters/dynamodb/endpointItem.ts'
import { deliveryKey, endpointKey, eventKey, NOTICES } from '../../../lib/adapters/dynamodb/eventKeys.ts'
import { putDelivery } from '../../../lib/adapters/dynamodb/eventStore.ts'
import { queryPartition } from '../../../lib/adapters/dynamodb/kit/readItems.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import type { EndpointName } from '../../../lib/events/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { describeDeliveryQueue } from './deliveryQueueContract.ts'
import { organizationId } from './fixtures.ts'
import { createDeliveriesInMemory, type DeliveriesInMemory } from './inMemoryDeliveries.ts'

const TableName = tables.events.localName
const { client } = await openDocuments()
const names = new Map<string, EndpointName>()

const onDynamoDb: DeliveriesInMemory = {
  ...createDeliveryQueue(client, TableName),
  async putEndpoint({ owner, ...endpoint }) {
    names.set(endpoint.id, { owner, id: endpoint.id })
    const { previous, ...kept } = endpoint
    const rotated = previous && { previousSecret: previous.secret, previousUntil: previous.until }
    await client.send(new PutCommand({ TableName, Item: { ...endpointKey(owner, endpoint.id), ...kept, ...rotated } }))
  },
  async removeEndpoint(id) {
    await client.send(new DeleteCommand({ TableName, Key: endpointKey(organizationId, id) }))
  },
  async putDelivery(delivery) {
    await client.send(new TransactWriteCommand({ TransactItems: [putDelivery(TableName, delivery)] }))
  },
  async putEvent({ sequence, body }) {
    await client.send(new PutCommand({ TableName, Item: { ...eventKey({ organizationId, sequence }), body } }))
  },
  async findEndpoint(id) {
    const Key = endpointKey(names.get(id)?.owner ?? organizationId, id)
    const { Item } = await client.send(new GetCommand({ TableName, Key }))
    return Item && parseServedEndpoint(Item)
  },
  async findDelivery(name) {
    const { Item } = await client.send(new GetCommand({ TableName, Key: deliveryKey(name) }))
    return Item && parseDelivery(Item)
  },
  async notices() {
    const items = await queryPartition(client, TableName, { pk: NOTICES })
    return items.map(({ endpointId }) => String(endpointId))
  },
}

describe('Deliveries on DynamoDB', () => describeDeliveryQueue(() => onDynamoDb))

describe('Deliveries in memory', () => {
  const inMemory = createDeliveriesInMemory()
  describeDeliveryQueue(() => inMemory)
})
