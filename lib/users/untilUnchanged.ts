import { CommonError } from '../core/errors.ts'

/** People do not make more changes than this to one account during one request. */
const MAX_ATTEMPTS = 5

/**
 * Runs an attempt to read an account and to write to it, again after each conflict with another change.
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export async function untilUnchanged<Result>(attempt: () => Promise<Result | 'conflict'>): Promise<Result> {
  for (let made = 0; made < MAX_ATTEMPTS; made += 1) {
    const result = await attempt()
    if (result !== 'conflict') return result
  }
  throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
}
