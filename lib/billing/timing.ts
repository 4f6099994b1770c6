const SECOND = 1000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long a claim keeps other requests off its slot. Longer than any invocation that holds it can run. */
export const LEASE = 45 * SECOND
/** A purchase is sent only while its lease has at least this long to go, so that no answer outlives the claim. */
export const LEASE_MARGIN = 10 * SECOND
/** What one attempt at the gateway may take. */
export const ATTEMPT = 8 * SECOND
/** What a request may take in all: under the function's 28 s, which is under API Gateway's 30 s. */
export const BUDGET = 25 * SECOND
/** What a request that only reads of the gateway may take at it: with the service's own work, under the 8 s that callers wait. */
export const READ_BUDGET = 7 * SECOND
/** How long a key may be replayed; Stripe may forget it after 24 h. */
export const REPLAY_WINDOW = 20 * HOUR
/** How long after the last sending a purchase that the gateway does not list may still arrive there. */
export const QUIET_PERIOD = 15 * MINUTE

/**
 * When the sweeper looks a pending purchase up, counted from its last sending: soon, as soon as it can be proven absent, and an
 * hour later; from then on once a day.
 */
const SWEEPS = [MINUTE, 6 * MINUTE, 16 * MINUTE, 65 * MINUTE]

/**
 * When the sweeper looks a pending purchase up next.
 * @param lastSent Unix milliseconds, as are `now` and the result
 */
export function nextSweep(lastSent: number, now: number): number {
  const age = now - lastSent
  const soon = SWEEPS.find((sweep) => sweep > age)
  return lastSent + (soon ?? (Math.floor(age / DAY) + 1) * DAY)
}
/** How long a sweep works: it is over before the next one begins. */
export const SWEEP_TIME = 50 * SECOND
/** How many days back a reconciliation asks for webhooks that were not delivered; Stripe keeps events for 30. */
export const EVENT_DAYS = 7
/** How many days back a reconciliation looks at refunds, disputes and ended subscriptions: a monthly period and some. */
export const MONEY_DAYS = 35
