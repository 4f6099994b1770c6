import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { OwnRecords } from '../../organizations/exportPorts.ts'
import { queryItems } from './readItems.ts'
import { userKey } from './userKey.ts'

const PREFIX = 'CONSENT#'
const consentItem = z.object({ sk: z.string().startsWith(PREFIX), scope: z.string(), givenAt: z.int() })

/** `OwnRecords` on DynamoDB, in the table `accounts`. */
export function createOwnRecords(client: DynamoDBDocumentClient, TableName: string): OwnRecords {
  return {
    async listConsents(userId) {
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': userKey(userId).pk, ':prefix': PREFIX },
      })
      return items.map((item) => {
        const { sk, scope, givenAt } = consentItem.parse(item)
        return { clientId: sk.slice(PREFIX.length), scope, givenAt }
      })
    },
  }
}
