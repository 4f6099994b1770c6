import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { UserId } from '../../core/ids.ts'
import type { Consents } from '../../oauth/ports.ts'
import { queryPartition, readParsed } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { deleteItem, putItem } from './kit/writeItem.ts'

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
    find: (userId, clientId) => readParsed(client, TableName, consentKey(userId, clientId), consentItem),

    give: (userId, clientId, { scope, givenAt }) =>
      putItem(client, TableName, { ...consentKey(userId, clientId), scope, givenAt }),

    async list(userId) {
      const items = await queryPartition(client, TableName, { pk: consentKey(userId, '').pk, prefix: PREFIX })
      return items.map((item) => {
        const { sk, ...consent } = z.extend(consentItem, { sk: z.string() }).parse(item)
        return { clientId: sk.slice(PREFIX.length), ...consent }
      })
    },

    withdraw: (userId, clientId) => deleteItem(client, TableName, consentKey(userId, clientId)),
  }
}
