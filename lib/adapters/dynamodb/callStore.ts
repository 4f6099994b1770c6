import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { retryConflicts } from './retryConflicts.ts'
import { storeUnavailable } from './storeUnavailable.ts'

/**
 * Reads or writes one item, again on conflicts with a transaction.
 * @throws ConditionalCheckFailedException as it is, for the caller to name; CommonError `service_unavailable` for the rest
 */
export async function callStore<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await retryConflicts(operation)
  } catch (error) {
    throw error instanceof ConditionalCheckFailedException ? error : storeUnavailable(error)
  }
}
