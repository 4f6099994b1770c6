import { untilWritten } from '../core/untilWritten.ts'

/** A conflict means that another request changed the organization. With pauses, 20 changes at once all succeed; people make fewer. */
const policy = { attempts: 10, longestPause: 400, message: 'too many concurrent changes of an organization' }

/**
 * Runs an attempt to read, decide and write, again after each conflict.
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export function retryOnConflict<Result>(attempt: () => Promise<Result | 'conflict'>): Promise<Result> {
  return untilWritten(attempt, policy)
}
