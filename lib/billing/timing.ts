const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long a claim keeps other requests off its slot. Longer than any invocation that holds it can run. */
export const LEASE = 45 * SECOND
/** A purchase is sent only while its lease has at least this long to go, so that no answer outlives the claim. */
export const LEASE_MARGIN = 10 * SECOND
/** What one attempt at the gateway may take. */
export const ATTEMPT = 8 * SECOND
/** What a request may take in all: under the function's 28 s, which is under API Gateway's 30 s. */
export const BUDGET = 25 * SECOND
/** How long a key may be replayed; Stripe may forget it after 24 h. */
export const REPLAY_WINDOW = 20 * HOUR
/** How long after the last sending a purchase that the gateway does not list may still arrive there. */
export const QUIET_PERIOD = 15 * MINUTE

/** When the sweeper takes a purchase over for the first and the second time; from then on once a day. */
export const FIRST_SWEEP = 5 * MINUTE
const SECOND_SWEEP = HOUR

/**
 * When a purchase was last due for the sweeper; undefined before the first time.
 * @param firstSent Unix milliseconds, as is `now`
 */
export function lastSweepTime(firstSent: number, now: number): number | undefined {
  const age = now - firstSent
  if (age < FIRST_SWEEP) return undefined
  if (age < SECOND_SWEEP) return firstSent + FIRST_SWEEP
  return firstSent + Math.max(SECOND_SWEEP, age - (age % DAY))
}
/** How many days back a reconciliation asks for webhooks that were not delivered; Stripe keeps events for 30. */
export const EVENT_DAYS = 7
