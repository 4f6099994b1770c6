import { untilWritten } from '../core/untilWritten.ts'

/** People do not make more changes than this to one account during one request. */
const policy = { attempts: 5, message: 'account changed concurrently' }

/**
 * Runs an attempt to read an account and to write to it, again after each conflict with another change.
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export function untilUnchanged<Result>(attempt: () => Promise<Result | 'conflict'>): Promise<Result> {
  return untilWritten(attempt, policy)
}
