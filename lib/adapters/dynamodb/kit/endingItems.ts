import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Key, readParsed } from './readItems.ts'
import { putItem, takeItem } from './writeItem.ts'

/**
 * Items by the digest of a secret, which end at their `validUntil`; DynamoDB deletes them some time later.
 * Every function throws CommonError `service_unavailable`.
 */
export function createEndingItems<Digest, Value extends { readonly validUntil: number }>(
  client: DynamoDBDocumentClient,
  TableName: string,
  { keyOf, schema }: { keyOf(digest: Digest): Key; schema: { parse(item: unknown): Value } },
) {
  return {
    /** Also returns an item that has ended. */
    find: (digest: Digest): Promise<Value | undefined> => readParsed(client, TableName, keyOf(digest), schema),

    async put(digest: Digest, value: Value): Promise<void> {
      const expiresAt = Math.ceil(value.validUntil / 1000)
      await putItem(client, TableName, { ...keyOf(digest), ...schema.parse(value), expiresAt })
    },

    /** Deletes an item and returns it; one caller of several at once gets it. */
    async take(digest: Digest): Promise<Value | undefined> {
      const taken = await takeItem(client, TableName, keyOf(digest))
      return taken && schema.parse(taken)
    },
  }
}
