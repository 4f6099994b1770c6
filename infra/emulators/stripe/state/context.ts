import { mintId } from './ids.ts'
import type { Kind } from './state.ts'
import type { Store } from './store.ts'

/** Settings of the account that Stripe keeps in its Dashboard. */
export interface AccountSettings {
  /** Days between the attempts to collect a renewal. */
  retryDays: readonly number[]
  /** The status of a subscription whose last attempt failed. */
  afterRetries: 'canceled' | 'unpaid' | 'past_due'
  /** Seconds an invoice stays a draft before it is finalized and charged (a renewal's) or sent. */
  draftSeconds: number
  /** The status of a subscription whose sent invoice is unpaid `afterDueDays` days after its due date. */
  afterDue: 'canceled' | 'unpaid' | 'past_due'
  afterDueDays: number
  /** Days before and after the due date of a sent invoice at which `invoice.will_be_due` and `invoice.overdue` are sent. */
  willBeDueDays: readonly number[]
  overdueDays: readonly number[]
  /** Seconds that search lags behind list. */
  searchLagSeconds: number
  /** Metadata keys whose values at most one live subscription may have; if empty, there is no such rule. */
  oneLivePer: readonly string[]
  /** Requests accepted within a second of the emulator's clock; unlimited if null. */
  rateLimit: RateLimit
  /** Whether a write locks its customer. If another write comes meanwhile, it is answered 429 `lock_timeout`. */
  customerLock: boolean
  /** Milliseconds a write waits for the lock before it is refused. */
  customerLockWaitMs: number
  /** Milliseconds a write of a customer runs on, under its lock, after its effect can be read. */
  writeMs: number
  /** Whether events are delivered while the call that caused them still runs. */
  earlyEvents: boolean
  /** Whether the refusal of a payment that has no source carries a code. */
  missingSourceCode: boolean
  /** What becomes of the open invoice of an incomplete subscription that is canceled. */
  cancelIncomplete: 'voids' | 'leaves_open'
  /** How webhooks are retried: for about three days, or as in a sandbox three times over a few hours. */
  webhookRetries: 'live' | 'test'
  /** Versions of other releases that are accepted (`any`: all), though answers have the shapes of the emulator's own. */
  apiVersions: readonly string[]
}

/** Requests a second, of the account and of each endpoint; unlimited if null. */
export interface RateLimit {
  global: number | null
  endpoint: number | null
}

/** What a request or a step of the clock may use: rows, time, randomness, and the request that is running. */
export interface Context {
  store: Store
  /** Unix seconds of the emulator's clock. */
  now: number
  /** Uniform in [0, 1). */
  random: () => number
  settings: AccountSettings
  /** The address of the server, to which links of invoices lead. */
  apiBase: () => string
  request: { id: string | null; idempotency_key: string | null }
}

/** How ids begin, by kind. */
const prefixes = {
  customers: 'cus',
  tax_ids: 'txi',
  payment_methods: 'pm',
  setup_intents: 'seti',
  products: 'prod',
  prices: 'price',
  promotion_codes: 'promo',
  discounts: 'di',
  subscriptions: 'sub',
  subscription_schedules: 'sub_sched',
  invoices: 'in',
  invoiceitems: 'ii',
  invoice_payments: 'inpay',
  payment_intents: 'pi',
  charges: 'ch',
  refunds: 're',
  disputes: 'dp',
  credit_notes: 'cn',
  events: 'evt',
  webhook_endpoints: 'we',
  deliveries: 'dlv',
  violations: 'vio',
} as const satisfies { [K in Kind]?: string }

/** A fresh id for a row of `kind`. */
export function newId(context: Context, kind: keyof typeof prefixes): string {
  return mintId(context.random, prefixes[kind], (id) => context.store.get(kind, id) !== undefined)
}
