import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import pRetry from 'p-retry'

const ATTEMPTS = 3
const PASSING_REASONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/** Whether DynamoDB refused for a reason that passes by itself. A failed condition is an answer, whatever else went wrong. */
function isConflict(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true
  if (!(error instanceof TransactionCanceledException)) return false
  const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => PASSING_REASONS.has(code))
}

/**
 * Runs an operation and repeats it, up to 3 times in all and after 25 to 100 ms with jitter, while it fails with a transaction
 * conflict or a throttled transaction, which the SDK does not repeat. Nothing was written in either case. Other errors, and
 * the last one, are thrown as they are; an aborted `signal` ends the repetition with its reason.
 */
export function retryConflicts<Result>(
  operation: () => Promise<Result>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  return pRetry(operation, {
    retries: ATTEMPTS - 1,
    minTimeout: 25,
    randomize: true,
    shouldRetry: ({ error }) => isConflict(error),
    signal: options.signal,
  })
}
