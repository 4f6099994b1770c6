import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import pRetry from 'p-retry'
import { storeUnavailable } from './storeUnavailable.ts'

export interface Key {
  pk: string
  sk: string
}

export type Item = Record<string, unknown>

/**
 * Reads items by their exact keys in one consistent call, whatever else their partition holds. The answer finds an item by
 * its key, undefined where there is none. Keys that DynamoDB left unprocessed are asked for again, up to 3 times in all.
 * @throws CommonError `service_unavailable`
 */
export async function readItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key[],
): Promise<(key: Key) => Item | undefined> {
  const read = async () => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: [...keys], ConsistentRead: true } } }),
    )
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new UnprocessedKeysError()
    return Responses?.[table] ?? []
  }
  const items = await pRetry(read, {
    retries: 2,
    minTimeout: 25,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof UnprocessedKeysError,
  }).catch((error) => {
    throw storeUnavailable(error)
  })
  return ({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk)
}

class UnprocessedKeysError extends Error {
  override readonly name = 'UnprocessedKeys'
}
