const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds after each failed attempt; later attempts wait as long as the last. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Each wait is this much shorter or longer at most, so deliveries that failed together are not tried together again. */
const JITTER = 0.2

/** How long a delivery is tried, and how long an endpoint may fail without a success, in milliseconds. */
export const GIVE_UP_AFTER = 5 * DAY

/** When a delivery is due next. `end`: it will not be tried again, and has failed by then. Unix milliseconds. */
export type NextTry = { readonly kind: 'try'; readonly at: number } | { readonly kind: 'end'; readonly at: number }

/**
 * What follows a failed attempt.
 * @param attempts how many were made, at least 1
 * @param random from 0 to below 1
 */
export function nextTry(
  { attempts, firstAttemptAt }: { readonly attempts: number; readonly firstAttemptAt: number },
  now: number,
  random: number,
): NextTry {
  const wait = WAITS[attempts - 1] ?? WAITS[WAITS.length - 1] ?? DAY
  const at = Math.round(now + wait * (1 - JITTER + 2 * JITTER * random))
  const end = firstAttemptAt + GIVE_UP_AFTER
  return at <= end ? { kind: 'try', at } : { kind: 'end', at: end }
}
