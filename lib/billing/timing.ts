const SECOND = 1000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long a claim keeps other requests off its slot: longer than any invocation that holds it can run. */
export const LEASE = 45 * SECOND
/** Send a purchase only if its lease has at least this long left, so that no answer outlives the claim. */
export const LEASE_MARGIN = 10 * SECOND
/** How long a single attempt at the gateway may take. */
export const ATTEMPT = 8 * SECOND
/** How long a whole request may take: under the function's 28 s, which is under API Gateway's 30 s. */
export const BUDGET = 25 * SECOND
/** How long a read-only request may wait for the gateway. Together with the service's own work this is under the 8 s that callers wait. */
export const READ_BUDGET = 7 * SECOND
/** How long a key may be replayed. Stripe may forget a key after 24 h. */
export const REPLAY_WINDOW = 20 * HOUR
/** If the gateway does not list a purchase, it may still arrive there for this long after its last sending. */
export const QUIET_PERIOD = 15 * MINUTE
/** How long a sweep works. It ends before the next sweep begins. */
export const SWEEP_TIME = 50 * SECOND
/** How many days back a reconciliation asks for undelivered webhooks and lost redemptions. Stripe keeps events for 30 days. */
export const EVENT_DAYS = 7
/** An invoice that is unpaid for longer than this after its due date keeps its organization from buying. */
export const OVERDUE_GRACE = 7 * DAY
/** How many days back a reconciliation looks at refunds, disputes and ended subscriptions: a monthly period and a few days. */
export const MONEY_DAYS = 35
