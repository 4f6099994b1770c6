import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { CommonError } from '../../../core/errors.ts'
import { callStore, retryConflicts, storeUnavailable } from './callStore.ts'
import type { Item } from './readItems.ts'

/** One write, or one check of a condition, of a transaction. */
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Whether one item's condition failed in a transaction that was canceled, and what is stored under its key. */
export interface WriteResult {
  failed: boolean
  item: Item | undefined
}

/**
 * Writes all items or none. Returns null where they were written; otherwise one result for each of `items`, in their order.
 * @throws CommonError `service_unavailable` for every failure but a condition's, after up to 3 tries of a conflict
 */
export async function transactWrite(
  client: DynamoDBDocumentClient,
  items: TransactItem[],
): Promise<WriteResult[] | null> {
  try {
    await retryConflicts(() => client.send(new TransactWriteCommand({ TransactItems: items })))
    return null
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : []
    if (!reasons.some(conditionFailed)) throw storeUnavailable(error)
    return reasons.map((reason) => ({
      failed: conditionFailed(reason),
      // Cancellation reasons keep the wire's attribute values, even through the document client.
      item: reason.Item && unmarshall(reason.Item),
    }))
  }
}

/**
 * The same, where one put alone is no transaction, which would cost twice as much. The SDK may send it twice after a lost answer: then it
 * fails on what it wrote itself, which the item in the result shows.
 */
export async function writeAll(client: DynamoDBDocumentClient, items: TransactItem[]): Promise<WriteResult[] | null> {
  const [{ Put } = {}, ...others] = items
  if (Put === undefined || others.length > 0) return transactWrite(client, items)
  try {
    await callStore(() => client.send(new PutCommand(Put)))
    return null
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return [{ failed: true, item: error.Item && unmarshall(error.Item) }]
  }
}

/**
 * The same, where a conflict past the retries is an outcome as well: then no result has failed, and what was read before may be
 * outdated.
 * @throws CommonError `service_unavailable`
 */
export async function transactWriteOrConflict(
  client: DynamoDBDocumentClient,
  items: TransactItem[],
): Promise<WriteResult[] | null> {
  try {
    return await transactWrite(client, items)
  } catch (error) {
    if (isConflict(error)) return items.map(() => ({ failed: false, item: undefined }))
    throw error
  }
}

function conditionFailed(reason: CancellationReason): boolean {
  return reason.Code === 'ConditionalCheckFailed'
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof CommonError && error.cause instanceof TransactionCanceledException)) return false
  return (error.cause.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
}
