const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long a claim keeps others away. Longer than any invocation that holds it can live. */
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
