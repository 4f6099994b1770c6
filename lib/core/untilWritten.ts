import { CommonError } from './errors.ts'

/**
 * Runs an attempt to read, decide and write, again after each conflict with another change.
 * @param attempts how often it runs at most
 * @param message of the error, for the log
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export async function untilWritten<Result>(
  attempt: () => Promise<Result | 'conflict'>,
  { attempts, message }: { readonly attempts: number; readonly message: string },
): Promise<Result> {
  for (let made = 0; made < attempts; made += 1) {
    const result = await attempt()
    if (result !== 'conflict') return result
  }
  throw new CommonError('service_unavailable', { message })
}
