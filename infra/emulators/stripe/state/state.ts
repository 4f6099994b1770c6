import type Stripe from 'stripe'
import { words } from '../params/words.ts'
import type { Wire, WireEvent } from '../wire/wire.ts'

/** A payment method beside its wire form: its test card, whether it was set up for off-session use, and whether it was detached. */
interface CardRecord {
  id: string
  card: string
  set_up: boolean
  detached: boolean
}

/** A confirmation token, and the payment method that its use will charge or save. */
interface TokenRecord {
  id: string
  method: string
  token: Wire<Stripe.ConfirmationToken>
}

/** Which invoice a PaymentIntent collects. */
interface PaymentTerms {
  id: string
  invoice: string
}

/** A key of the idempotency layer and the answer saved under it. */
export interface KeyRecord {
  id: string
  fingerprint: string
  status: number
  body: string
  first_used: number
  request: string
}

/** An event on its way to an endpoint. */
export interface DeliveryRecord {
  id: string
  event: string
  endpoint: string
  attempts: number
  next_attempt: number | null
  last_status: number | null
  done: boolean
}

/** Signing secrets of a webhook endpoint; both sign while a rotation lasts. */
interface EndpointSecrets {
  id: string
  secret: string
  previous: string | null
  /** When the previous secret stops signing; never if null or absent. */
  previous_expires_at?: number | null
}

/** Past versions of a row (`customers/cus_...`) for the search index, which lags; null if removed. */
interface SearchRecord {
  id: string
  versions: { at: number; row: object | null }[]
}

/**
 * An invoice line before it is written: its item, its amount in cents, and what each discount takes off. If it is the line of an invoice
 * item, `item` has the item's price.
 */
export interface DraftLine {
  item: Pick<Wire<Stripe.SubscriptionItem>, 'id' | 'price' | 'quantity'>
  invoice_item?: Wire<Stripe.InvoiceItem>
  amount: number
  description: string
  period: { start: number; end: number }
  off: { discount: string; amount: number }[]
  proration?: boolean
}

/** Prorations of a subscription that its next invoice will bill. */
interface PendingLines {
  id: string
  lines: DraftLine[]
}

/** What has happened to a sent invoice because it was unpaid, by the names of `sentInvoices.ts`. */
interface InvoiceSteps {
  id: string
  done: string[]
}

/** An update of a subscription that waits for its invoice to be paid (`pending_if_incomplete`). */
interface PendingUpdate {
  id: string
  invoice: string
  patch: Partial<Wire<Stripe.Subscription>>
}

/** A version of another release that a request named, and what to know about its answers. */
interface ForeignVersion {
  id: string
  at: number
  message: string
}

/** A broken money rule, with the requests that led to it. */
export interface Violation {
  id: string
  at: number
  rule: string
  message: string
  trace: {
    id: string
    at: number
    method: string
    path: string
    idempotency_key: string | null
    params: Record<string, unknown>
  }[]
}

/** Every kind of row, by table. */
export interface Tables {
  customers: Wire<Stripe.Customer>
  tax_ids: Wire<Stripe.TaxId>
  deleted_customers: Wire<Stripe.DeletedCustomer>
  payment_methods: Wire<Stripe.PaymentMethod>
  setup_intents: Wire<Stripe.SetupIntent>
  products: Wire<Stripe.Product>
  prices: Wire<Stripe.Price>
  coupons: Wire<Stripe.Coupon>
  promotion_codes: Wire<Stripe.PromotionCode>
  discounts: Wire<Stripe.Discount>
  subscriptions: Wire<Stripe.Subscription>
  subscription_schedules: Wire<Stripe.SubscriptionSchedule>
  invoices: Wire<Stripe.Invoice>
  invoiceitems: Wire<Stripe.InvoiceItem>
  invoice_payments: Wire<Stripe.InvoicePayment>
  payment_intents: Wire<Stripe.PaymentIntent>
  charges: Wire<Stripe.Charge>
  refunds: Wire<Stripe.Refund>
  disputes: Wire<Stripe.Dispute>
  credit_notes: Wire<Stripe.CreditNote>
  events: WireEvent
  webhook_endpoints: Wire<Stripe.WebhookEndpoint>
  cards: CardRecord
  confirmation_tokens: TokenRecord
  payment_terms: PaymentTerms
  keys: KeyRecord
  deliveries: DeliveryRecord
  endpoint_secrets: EndpointSecrets
  search: SearchRecord
  pending_lines: PendingLines
  pending_updates: PendingUpdate
  invoice_steps: InvoiceSteps
  deleted_coupons: Wire<Stripe.Coupon>
  violations: Violation
  foreign_versions: ForeignVersion
}

/** A table's name. */
export type Kind = keyof Tables

/** Rows of every table by id, in the order they were created. */
type Rows = { [K in Kind]: Record<string, Tables[K]> }

/** The whole state, as plain JSON. `offset`: seconds its clock is ahead of real time. */
export interface State {
  offset: number
  webhook_mode: 'deliver' | 'hold'
  rows: Rows
}

/** Every kind of row. */
export const kinds = words(
  'customers tax_ids deleted_customers payment_methods setup_intents products prices coupons',
  'promotion_codes discounts subscriptions subscription_schedules invoices invoiceitems invoice_payments',
  'payment_intents charges refunds disputes credit_notes events webhook_endpoints cards confirmation_tokens',
  'payment_terms',
  'keys deliveries endpoint_secrets search pending_lines pending_updates invoice_steps deleted_coupons',
  'violations foreign_versions',
) satisfies Kind[]

/** The state before the first request. */
export function emptyState(): State {
  const rows: Rows = Object.assign({}, ...kinds.map((kind) => ({ [kind]: {} })))
  return { offset: 0, webhook_mode: 'deliver', rows }
}
