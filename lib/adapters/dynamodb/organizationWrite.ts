import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { CommonError } from '../../core/errors.ts'
import type { TransactItem } from './slot.ts'
import { type FailedCondition, transactWrite } from './transactWrite.ts'

/**
 * Writes all items or none. Null means written; otherwise, in the order of `items`, whose condition failed: none of them where
 * other transactions on these items kept going before, for then whatever was read may not hold any more.
 * @throws CommonError `service_unavailable`
 */
export async function transactWriteOrConflict(
  client: DynamoDBDocumentClient,
  items: TransactItem[],
): Promise<FailedCondition[] | null> {
  try {
    return await transactWrite(client, items)
  } catch (error) {
    if (isConflict(error)) return items.map(() => ({ failed: false, item: undefined }))
    throw error
  }
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof CommonError && error.cause instanceof TransactionCanceledException)) return false
  return (error.cause.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
}
