import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { ActivityLog, StoredActivityEntry } from '../../users/activity/ports.ts'
import { userKey } from './keys.ts'
import { callStore } from './kit/callStore.ts'
import { putItem } from './kit/writeItem.ts'

/** How long an entry is kept. */
const KEPT_MS = 90 * 86_400_000

const PREFIX = 'ACTIVITY#'

/** Sorts after every time: the start of the first page. */
const END = '~'

const activityItem = z.object({
  id: z.string(),
  at: z.int(),
  type: z.string(),
  browser: z.optional(z.string()),
  country: z.optional(z.string()),
  sourceIp: z.optional(z.string()),
})

/** By time to the millisecond, and then by id. */
function positionOf({ at, id }: { at: number; id: string }): string {
  return `${new Date(at).toISOString()}#${id}`
}

/** `ActivityLog` on DynamoDB: beside the user in the table `accounts`, so that the entries are erased with the user. */
export function createActivityLog(client: DynamoDBDocumentClient, TableName: string): ActivityLog {
  return {
    async add(userId, entry) {
      const key = { pk: userKey(userId).pk, sk: PREFIX + positionOf(entry) }
      await putItem(client, TableName, { ...key, ...entry, expiresAt: Math.ceil((entry.at + KEPT_MS) / 1000) })
    },

    async list(userId, { limit, from = END, now }) {
      const query = new QueryCommand({
        TableName,
        ConsistentRead: true,
        ScanIndexForward: false,
        // The extra item is the start of the next page. Entries are small: a page is far from DynamoDB's megabyte.
        Limit: limit + 1,
        // Whatever a cursor says, only entries begin with the prefix.
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :from',
        ExpressionAttributeValues: { ':pk': userKey(userId).pk, ':first': PREFIX, ':from': PREFIX + from },
      })
      const { Items = [] } = await callStore(() => client.send(query))
      const found: StoredActivityEntry[] = Items.map((item) => activityItem.parse(item))
      // DynamoDB deletes what has expired within some days only.
      const kept = found.filter(({ at }) => at > now - KEPT_MS)
      const [next] = kept.slice(limit)
      return { entries: kept.slice(0, limit), ...(next && { next: positionOf(next) }) }
    },
  }
}
