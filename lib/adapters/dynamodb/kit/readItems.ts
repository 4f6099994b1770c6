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

/** DynamoDB's limit for a batch. */
const KEYS_IN_A_BATCH = 100

/**
 * Reads an item consistently; undefined if there is none.
 * @throws CommonError `service_unavailable`
 */
export async function readItem(client: DynamoDBDocumentClient, TableName: string, Key: Key): Promise<Item | undefined> {
  const { Item } = await callStore(() => client.send(new GetCommand({ TableName, Key, ConsistentRead: true })))
  return Item
}

/**
 * Reads an item consistently as its schema parses it; undefined if there is none.
 * @throws CommonError `service_unavailable`
 */
export async function readParsed<Output>(
  client: DynamoDBDocumentClient,
  TableName: string,
  key: Key,
  schema: { parse(item: Item): Output },
): Promise<Output | undefined> {
  const item = await readItem(client, TableName, key)
  return item && schema.parse(item)
}

/**
 * Reads items by their exact keys, consistently, in one call per 100 keys. The answer finds an item by its key.
 * @throws CommonError `service_unavailable`
 */
export function readItems(client: DynamoDBDocumentClient, table: string, keys: readonly Key[]): Promise<FindItem> {
  return readTables(client, [{ table, keys }])
}

/** Finds an item that was read by its key; undefined if there is none. */
export type FindItem = (key: Key) => Item | undefined

/** A read of a table: items by their exact keys, with these attributes (keys included) or all. */
export interface TableRead {
  readonly table: string
  readonly keys: readonly Key[]
  readonly attributes?: readonly string[]
}

/**
 * Reads from several tables, in one call per 100 keys of all of them. Name each table once; no key may occur in two of them.
 * @throws CommonError `service_unavailable`
 */
export async function readTables(client: DynamoDBDocumentClient, reads: readonly TableRead[]): Promise<FindItem> {
  const items = (await Promise.all(inBatches(reads).map((batch) => readBatch(client, batch)))).flat()
  return ({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk)
}

/**
 * Reads up to 100 items by their exact keys, in a transaction: as of a single instant, even if other transactions
 * write. Costs twice as much as `readItems`. When another transaction is writing an item, the read is repeated.
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

/** Splits the reads into batches within DynamoDB's limit. */
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

/** If DynamoDB leaves keys unprocessed, the batch is read again, up to 3 times in all. */
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
 * Every page of a query, or its first pages until they hold `enough` items.
 * @throws CommonError `service_unavailable`
 */
export function queryItems(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
  { enough = Number.POSITIVE_INFINITY } = {},
): Promise<Item[]> {
  return allItems(paginateQuery({ client }, query), enough)
}

/**
 * Every item of a partition, or those whose sort key begins with `prefix`, consistently, in the order of their sort keys.
 * With `attributes`, only these.
 * @throws CommonError `service_unavailable`
 */
export function queryPartition(
  client: DynamoDBDocumentClient,
  TableName: string,
  { pk, prefix, attributes }: { pk: string; prefix?: string; attributes?: readonly string[] },
): Promise<Item[]> {
  return queryItems(client, {
    TableName,
    ConsistentRead: true,
    ...(attributes && { ProjectionExpression: attributes.join(', ') }),
    KeyConditionExpression: prefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ...(prefix !== undefined && { ':prefix': prefix }) },
  })
}

/**
 * Every page of a scan of the whole table: for operators and schedules, not for a request.
 * @throws CommonError `service_unavailable`
 */
export function scanItems(client: DynamoDBDocumentClient, scan: ScanCommandInput): Promise<Item[]> {
  return allItems(paginateScan({ client }, scan))
}

async function allItems(
  pages: AsyncIterable<{ Items?: Item[] | undefined }>,
  enough = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = []
  try {
    for await (const { Items = [] } of pages) {
      items.push(...Items)
      if (items.length >= enough) break
    }
  } catch (error) {
    throw storeUnavailable(error)
  }
  return items
}
