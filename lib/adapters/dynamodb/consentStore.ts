import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { UserId } from '../../core/ids.ts'
import type { Consents } from '../../oauth/ports.ts'
import { callStore } from './kit/callStore.ts'
import { queryItems, readItem } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'

const PREFIX = 'CONSENT#'

function consentKey(userId: UserId, clientId: string) {
  return { pk: `USER#${userId}`, sk: PREFIX + clientId }
}

const consentItem = z.object({ scope: z.string(), givenAt: z.int() })

/** Passes only while a user's consent to a client exists. */
export function checkConsent(TableName: string, of: { userId: UserId; clientId: string }): TransactItem {
  const ConditionExpression = 'attribute_exists(pk)'
  return { ConditionCheck: { TableName, Key: consentKey(of.userId, of.clientId), ConditionExpression } }
}

/** What users have allowed clients, beside the user in the table `accounts`. */
export function createConsents(client: DynamoDBDocumentClient, TableName: string): Consents {
  return {
    async find(userId, clientId) {
      const item = await readItem(client, TableName, consentKey(userId, clientId))
      return item && consentItem.parse(item)
    },

    async give(userId, clientId, { scope, givenAt }) {
      const Item = { ...consentKey(userId, clientId), scope, givenAt }
      await callStore(() => client.send(new PutCommand({ TableName, Item })))
    },

    async list(userId) {
      const items = await queryItems(client, {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': consentKey(userId, '').pk, ':prefix': PREFIX },
        ConsistentRead: true,
      })
      return items.map((item) => {
        const { sk, ...consent } = z.extend(consentItem, { sk: z.string() }).parse(item)
        return { clientId: sk.slice(PREFIX.length), ...consent }
      })
    },

    async withdraw(userId, clientId) {
      const command = new DeleteCommand({ TableName, Key: consentKey(userId, clientId) })
      await callStore(() => client.send(command))
    },
  }
}
