import { CommonError } from '../core/errors.ts'

/** More rivals than this for one organization at one moment is no human being. */
const MAX_ATTEMPTS = 10

/**
 * Reads, decides and writes, again from the start while what was read does not hold any more when it is written.
 * @throws CommonError `service_unavailable` if it keeps changing under our hands
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result | 'conflict'>): Promise<Result> {
  for (let made = 0; made < MAX_ATTEMPTS; made += 1) {
    const result = await attempt()
    if (result !== 'conflict') return result
  }
  throw new CommonError('service_unavailable', { message: 'organization changed too often meanwhile' })
}
