import { randomBytes, randomUUID } from 'node:crypto'
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { localKeys } from '../../../infra/data/demo.ts'
import { parseDelivery } from '../../../lib/adapters/dynamodb/deliveryStore.ts'
import { deliveryKey, endpointKey } from '../../../lib/adapters/dynamodb/eventKeys.ts'
import { putDelivery } from '../../../lib/adapters/dynamodb/eventStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createWebhookSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import type { DeliveryName } from '../../../lib/events/delivery/ports.ts'
import type { Delivery } from '../../../lib/events/ports.ts'
import { deliveryOf, organizationId } from './fixtures.ts'

interface Place {
  readonly dynamodb: string
  readonly kms: string
  readonly table: string
}

/** Puts endpoints with deliveries into the table of a stack. */
export function storeDeliveries({ dynamodb, kms, table: TableName }: Place) {
  const region = 'us-east-1'
  const client = createDocumentClient({ endpoint: dynamodb, region })
  const cipher = createWebhookSecretCipher({
    client: createKmsClient({ endpoint: kms, region }),
    keyId: localKeys.customer,
  })
  return {
    close: () => client.destroy(),

    /** An endpoint of an organization, or of the operator, with its secret. */
    async putEndpoint(
      url: string,
      { owner = organizationId, ...others }: { owner?: Delivery['owner']; failingSince?: number } = {},
    ) {
      const id = randomUUID()
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const Item = {
        ...endpointKey(owner, id),
        ...{ id, url, description: '', enabled: true, createdAt: 0, secret: await cipher.encrypt(owner, secret) },
        ...others,
      }
      await client.send(new PutCommand({ TableName, Item }))
      return { owner, id, secret }
    },

    /** A delivery that is due, of an event in no list. */
    async putDelivery(
      { owner, id: endpointId }: { owner: Delivery['owner']; id: string },
      body: string,
      createdAt: number,
    ) {
      const delivery = deliveryOf({ owner, endpointId, id: randomUUID(), createdAt, event: { body } })
      await client.send(new TransactWriteCommand({ TransactItems: [putDelivery(TableName, delivery)] }))
      return delivery
    },

    async findDelivery(name: DeliveryName) {
      const { Item } = await client.send(new GetCommand({ TableName, Key: deliveryKey(name) }))
      return Item && parseDelivery(Item)
    },

    async findEndpoint({ owner, id }: { owner: Delivery['owner']; id: string }) {
      return (await client.send(new GetCommand({ TableName, Key: endpointKey(owner, id) }))).Item
    },
  }
}

/** The record of a new delivery in the table's stream. */
export function recordOf({ owner, ...name }: Delivery, SequenceNumber: string) {
  const { pk, sk } = deliveryKey(name)
  const text = (S: string) => ({ S })
  const partition = owner === 'operator' ? 'OPERATOR' : `ORG#${owner}`
  return { dynamodb: { SequenceNumber, NewImage: { pk: text(pk), sk: text(sk), owner: text(partition) } } }
}
