import { CommonError } from './errors.ts'

interface Policy {
  /** How often an attempt runs at most. */
  readonly attempts: number
  /** The longest pause between two attempts in milliseconds. Pauses are random, and grow up to it; none if left out. */
  readonly longestPause?: number
  /** Of the error, for the log. */
  readonly message: string
}

const FIRST_PAUSE = 20

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Runs an attempt to read, decide and write, again after each conflict with another change.
 * @throws CommonError `service_unavailable` after too many conflicts
 */
export async function untilWritten<Result>(
  attempt: () => Promise<Result | 'conflict'>,
  { attempts, longestPause, message }: Policy,
): Promise<Result> {
  for (let made = 1; ; made += 1) {
    const result = await attempt()
    if (result !== 'conflict') return result
    if (made >= attempts) throw new CommonError('service_unavailable', { message })
    if (longestPause) await pause(Math.random() * Math.min(longestPause, FIRST_PAUSE * 2 ** made))
  }
}
