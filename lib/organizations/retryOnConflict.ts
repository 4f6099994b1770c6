import { CommonError } from '../core/errors.ts'

/**
 * A conflict means that another request changed the organization. All of this many concurrent changes succeed in the end; people make
 * fewer.
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
