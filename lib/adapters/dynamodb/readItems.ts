import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb'
import pRetry from 'p-retry'
import { callStore, storeUnavailable } from './callStore.ts'

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
export async function readItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key[],
): Promise<(key: Key) => Item | undefined> {
  const batches = Array.from({ length: Math.ceil(keys.length / KEYS_IN_A_BATCH) }, (_, at) =>
    keys.slice(at * KEYS_IN_A_BATCH, (at + 1) * KEYS_IN_A_BATCH),
  )
  const items = (await Promise.all(batches.map((batch) => readBatch(client, table, batch)))).flat()
  return ({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk)
}

/** Keys that DynamoDB left unprocessed are asked for again, up to 3 times in all. */
async function readBatch(client: DynamoDBDocumentClient, table: string, keys: Key[]): Promise<Item[]> {
  const read = async () => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
    )
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new UnprocessedKeysError()
    return Responses?.[table] ?? []
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
