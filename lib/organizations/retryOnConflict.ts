import { CommonError } from '../core/errors.ts'

/**
 * A conflict is a change that another request made: of so many concurrent ones to one organization each is made in the end. People
 * make fewer.
 */
const MAX_ATTEMPTS = 40

/**
 * Runs an attempt to read, decide and write, again after each conflict.
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result | 'conflict'>): Promise<Result> {
  for (let made = 0; made < MAX_ATTEMPTS; made += 1) {
    const result = await attempt()
    if (result !== 'conflict') return result
  }
  throw new CommonError('service_unavailable', { message: 'too many concurrent changes of an organization' })
}
