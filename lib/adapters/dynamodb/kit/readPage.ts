import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { callStore } from './callStore.ts'
import type { Item } from './readItems.ts'

/** A list in a partition, newest first: in the reverse order of sort keys. */
interface List<Entry> {
  readonly TableName: string | undefined
  readonly pk: string
  /** What sort keys of the list begin with; left out if the partition has no other items. */
  readonly prefix?: string
  parse(item: Item): Entry
}

interface PageRequest<Entry> {
  readonly limit: number
  /** The sort key that the page begins below; the newest entry if left out. It comes from the caller. */
  readonly after?: string | undefined
  /** Whether the list ends before this entry. */
  readonly isOver: (entry: Entry) => boolean
  /** Which entries are listed; all if left out. */
  readonly isWanted?: ((entry: Entry) => boolean) | undefined
}

/** Sorts after every key: the start of the first page. */
const END = '~'

/** How many entries one query reads to find those that are wanted, and how many such queries a page takes. Entries are small. */
const READ_AT_ONCE = 500
const MAX_READS = 4

const keyed = z.object({ sk: z.string() })

/**
 * A page of a list, consistent. `next` is the start of the next page, absent on the last. With `isWanted` a page may be short, or empty, although
 * there is a next page.
 * @throws CommonError `service_unavailable`
 */
export async function readPage<Entry>(
  client: DynamoDBDocumentClient,
  list: List<Entry>,
  { limit, after = END, isOver, isWanted }: PageRequest<Entry>,
): Promise<{ entries: Entry[]; next?: string }> {
  // The extra entry shows if there is another page.
  const size = isWanted === undefined ? limit + 1 : READ_AT_ONCE
  const entries: Entry[] = []
  let position = after
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const { items, isLast } = await readBelow(client, list, { position, size })
    for (const item of items) {
      const entry = list.parse(item)
      if (isOver(entry)) return { entries }
      if (isWanted === undefined || isWanted(entry)) {
        if (entries.length === limit) return { entries, next: position }
        entries.push(entry)
      }
      position = keyed.parse(item).sk
    }
    if (isLast) return { entries }
  }
  return { entries, next: position }
}

/** The newest items below a position, and whether there are older items. */
async function readBelow<Entry>(
  client: DynamoDBDocumentClient,
  { TableName, pk, prefix = '' }: List<Entry>,
  { position, size }: { position: string; size: number },
) {
  // A range is inclusive and must not be empty: below a prefix there is nothing.
  const isRange = prefix !== ''
  const last = isRange && position > prefix + END ? prefix + END : position
  if (isRange && last <= prefix) return { items: [], isLast: true }
  const query = new QueryCommand({
    TableName,
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: isRange ? size + 1 : size,
    KeyConditionExpression: isRange ? 'pk = :pk AND sk BETWEEN :prefix AND :last' : 'pk = :pk AND sk < :last',
    ExpressionAttributeValues: { ':pk': pk, ':last': last, ...(isRange && { ':prefix': prefix }) },
  })
  const { Items = [], LastEvaluatedKey } = await callStore(() => client.send(query))
  return { items: Items.filter(({ sk }) => sk !== last), isLast: LastEvaluatedKey === undefined }
}
