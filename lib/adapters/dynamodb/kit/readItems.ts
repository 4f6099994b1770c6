import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb'
import pRetry from 'p-retry'
import { callStore, retryConflicts, storeUnavailable } from './callStore.ts'

export interface Key {
  pk: string
  sk: string
}

export type Item = Record<string, unknown>

/** DynamoDB's own limit for one batch. */
const KEYS_IN_A_BATCH = 100

/**
 * Reads one item consistently; undefined where there is none.
 * @throws CommonError `service_unavailable`
 */
export async function readItem(client: DynamoDBDocumentClient, TableName: string, Key: Key): Promise<Item | undefined> {
  const { Item } = await callStore(() => client.send(new GetCommand({ TableName, Key, ConsistentRead: true })))
  return Item
}

/**
 * Reads items by their exact keys, consistently, in one call for every 100 keys. The answer finds an item by its key, undefined
 * where there is none.
 * @throws CommonError `service_unavailable`
 */
export function readItems(client: DynamoDBDocumentClient, table: string, keys: readonly Key[]): Promise<FindItem> {
  return readTables(client, [{ table, keys }])
}

/** Finds an item that was read by its key; undefined where there is none. */
export type FindItem = (key: Key) => Item | undefined

/** What is read of one table: items by their exact keys, and of each these attributes, keys included, or all. */
export interface TableRead {
  readonly table: string
  readonly keys: readonly Key[]
  readonly attributes?: readonly string[]
}

/**
 * The same from several tables, in one call for every 100 keys of all of them. Each table is named once, and no two have an item of the
 * same key.
 * @throws CommonError `service_unavailable`
 */
export async function readTables(client: DynamoDBDocumentClient, reads: readonly TableRead[]): Promise<FindItem> {
  const items = (await Promise.all(inBatches(reads).map((batch) => readBatch(client, batch)))).flat()
  return ({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk)
}

/**
 * Reads up to 100 items by their exact keys, in a transaction: as of one instant among all writes, those of transactions included. Costs twice
 * as much as reading them. A transaction that writes one of them meanwhile is waited for.
 * @throws CommonError `service_unavailable`
 */
export async function readTransaction(
  client: DynamoDBDocumentClient,
  TableName: string,
  keys: readonly Key[],
): Promise<FindItem> {
  const TransactItems = keys.map((Key) => ({ Get: { TableName, Key } }))
  const { Responses = [] } = await retryConflicts(() => client.send(new TransactGetCommand({ TransactItems }))).catch(
    (error) => {
      throw storeUnavailable(error)
    },
  )
  return ({ pk, sk }) => Responses.find(({ Item }) => Item?.pk === pk && Item?.sk === sk)?.Item
}

/** The same reads, in batches of no more keys than DynamoDB takes. */
function inBatches(reads: readonly TableRead[]): TableRead[][] {
  const batches: TableRead[][] = []
  let room = 0
  for (const { keys, ...from } of reads) {
    for (let at = 0; at < keys.length; ) {
      if (room === 0) batches.push([])
      room ||= KEYS_IN_A_BATCH
      const some = keys.slice(at, at + room)
      batches.at(-1)?.push({ keys: some, ...from })
      at += some.length
      room -= some.length
    }
  }
  return batches
}

/** Keys that DynamoDB left unprocessed are asked for again, up to 3 times in all. */
async function readBatch(client: DynamoDBDocumentClient, reads: readonly TableRead[]): Promise<Item[]> {
  const RequestItems = Object.fromEntries(reads.map((read) => [read.table, requestOf(read)]))
  const read = async () => {
    const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }))
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new UnprocessedKeysError()
    return Object.values(Responses ?? {}).flat()
  }
  return pRetry(read, {
    retries: 2,
    minTimeout: 25,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof UnprocessedKeysError,
  }).catch((error) => {
    throw storeUnavailable(error)
  })
}

function requestOf({ keys, attributes }: TableRead) {
  return { Keys: [...keys], ConsistentRead: true, ...(attributes && { ProjectionExpression: attributes.join(', ') }) }
}

class UnprocessedKeysError extends Error {
  override readonly name = 'UnprocessedKeys'
}

/**
 * Every page of a query.
 * @throws CommonError `service_unavailable`
 */
export function queryItems(client: DynamoDBDocumentClient, query: QueryCommandInput): Promise<Item[]> {
  return allItems(paginateQuery({ client }, query))
}

/**
 * Every page of a scan of the whole table: for operators and schedules, not for a request.
 * @throws CommonError `service_unavailable`
 */
export function scanItems(client: DynamoDBDocumentClient, scan: ScanCommandInput): Promise<Item[]> {
  return allItems(paginateScan({ client }, scan))
}

async function allItems(pages: AsyncIterable<{ Items?: Item[] | undefined }>): Promise<Item[]> {
  const items: Item[] = []
  try {
    for await (const { Items = [] } of pages) items.push(...Items)
  } catch (error) {
    throw storeUnavailable(error)
  }
  return items
}
