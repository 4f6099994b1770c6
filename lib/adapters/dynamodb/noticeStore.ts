import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { EndpointNotices } from '../../events/notices/ports.ts'
import { NOTICES, noticeKey, organizationOfPartition } from './eventKeys.ts'
import { queryPartition } from './kit/readItems.ts'
import { deleteItem, updateItem } from './kit/writeItem.ts'

const noticeItem = z.object({
  owner: z.string(),
  endpointId: z.uuid(),
  url: z.string(),
  at: z.int(),
  dueAt: z.int(),
})

/** `EndpointNotices` on DynamoDB, in the table `events`. */
export function createEndpointNotices(client: DynamoDBDocumentClient, TableName: string): EndpointNotices {
  return {
    async listDue(now) {
      const items = await queryPartition(client, TableName, { pk: NOTICES })
      return items
        .map((item) => noticeItem.parse(item))
        .filter(({ dueAt }) => dueAt <= now)
        .map(({ owner, endpointId, url, at }) => ({
          organizationId: organizationOfPartition(owner),
          endpointId,
          url,
          at,
        }))
    },

    async claim({ endpointId, at }, { now, until }) {
      const result = await updateItem(client, {
        TableName,
        Key: noticeKey(endpointId, at),
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt <= :now',
        ExpressionAttributeValues: { ':until': until, ':now': now },
      })
      return result.kind === 'written'
    },

    remove: ({ endpointId, at }) => deleteItem(client, TableName, noticeKey(endpointId, at)),
  }
}
