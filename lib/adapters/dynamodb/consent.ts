import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { UserId } from '../../core/ids.ts'
import type { Consents } from '../../oauth/ports.ts'
import { callStore } from './callStore.ts'
import { readItem } from './readItems.ts'

function consentKey(userId: UserId, clientId: string) {
  return { pk: `USER#${userId}`, sk: `CONSENT#${clientId}` }
}

const consentItem = z.object({ scope: z.string(), givenAt: z.number().int() })

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
  }
}
