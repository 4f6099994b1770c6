import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Item } from './readItems.ts'
import { retryConflicts } from './retryConflicts.ts'
import type { TransactItem } from './slot.ts'
import { storeUnavailable } from './storeUnavailable.ts'

/** What became of one item of a transaction that was cancelled: whether its condition failed, and what stands there. */
export interface FailedCondition {
  failed: boolean
  item: Item | undefined
}

/**
 * Writes all items or none. Null means written; otherwise, in the order of `items`, whose condition failed.
 * @throws CommonError `service_unavailable` for every other failure, after up to 3 tries of a conflict
 */
export async function transactWrite(
  client: DynamoDBDocumentClient,
  items: TransactItem[],
): Promise<FailedCondition[] | null> {
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

function conditionFailed(reason: CancellationReason): boolean {
  return reason.Code === 'ConditionalCheckFailed'
}
