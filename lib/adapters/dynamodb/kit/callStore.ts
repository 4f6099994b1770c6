import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import pRetry from 'p-retry'
import { CommonError, reasonOf } from '../../../core/errors.ts'

const ATTEMPTS = 3
const TRANSIENT_REASONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/**
 * Reads or writes a single item, and tries again when it conflicts with a transaction.
 * @throws ConditionalCheckFailedException as it is, for the caller to name; CommonError `service_unavailable` for the rest
 */
export async function callStore<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await retryConflicts(operation)
  } catch (error) {
    throw error instanceof ConditionalCheckFailedException ? error : storeUnavailable(error)
  }
}

/**
 * Runs an operation, and repeats it if it fails with a transaction conflict or a throttled transaction, which the SDK
 * does not repeat: up to 3 times in all, after 25 to 100 ms with jitter. Nothing was written in either case. Other
 * errors, and the third, are thrown unchanged. When `signal` is aborted, the repetition ends with its reason.
 */
export function retryConflicts<Result>(
  operation: () => Promise<Result>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  return pRetry(operation, {
    retries: ATTEMPTS - 1,
    minTimeout: 25,
    randomize: true,
    shouldRetry: ({ error }) => isTransient(error),
    signal: options.signal,
  })
}

/** A failed condition is an answer, even if the transaction failed for other reasons too. */
function isTransient(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true
  if (!(error instanceof TransactionCanceledException)) return false
  const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => TRANSIENT_REASONS.has(code))
}

/**
 * The error for every failure of the store, answered with 503. Callers handle failed conditions first, because they are
 * outcomes; what remains is throttling past the retries, a timeout, or a fault of this service.
 */
export function storeUnavailable(cause: unknown): CommonError {
  return new CommonError('service_unavailable', { message: `DynamoDB: ${reasonOf(cause)}`, cause })
}
