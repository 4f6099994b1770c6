import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { callStore } from './callStore.ts'
import type { Item, Key } from './readItems.ts'

/** What came of an update: the item as `ReturnValues` asks for it, or as it was stored when the condition failed (`ALL_OLD`). */
export type UpdateResult =
  | { readonly kind: 'written'; readonly item: Item | undefined }
  | { readonly kind: 'refused'; readonly stored: Item | undefined }

/**
 * Puts an item, in place of a stored item with its key.
 * @throws CommonError `service_unavailable`
 */
export async function putItem(client: DynamoDBDocumentClient, TableName: string, Item: Key & Item): Promise<void> {
  await callStore(() => client.send(new PutCommand({ TableName, Item })))
}

/**
 * Deletes an item; safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function deleteItem(client: DynamoDBDocumentClient, TableName: string, Key: Key): Promise<void> {
  await callStore(() => client.send(new DeleteCommand({ TableName, Key })))
}

/**
 * Deletes an item and returns it; undefined if there was none.
 * @throws CommonError `service_unavailable`
 */
export async function takeItem(client: DynamoDBDocumentClient, TableName: string, Key: Key): Promise<Item | undefined> {
  const command = new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' })
  return (await callStore(() => client.send(command))).Attributes
}

/**
 * Updates an item, unless its condition fails.
 * @throws CommonError `service_unavailable`
 */
export async function updateItem(
  client: DynamoDBDocumentClient,
  input: UpdateCommandInput,
  options: { abortSignal?: AbortSignal } = {},
): Promise<UpdateResult> {
  try {
    const { Attributes } = await callStore(() => client.send(new UpdateCommand(input), options))
    return { kind: 'written', item: Attributes }
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return { kind: 'refused', stored: error.Item && unmarshall(error.Item) }
  }
}
