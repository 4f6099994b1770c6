import type Stripe from 'stripe'
import * as z from 'zod/mini'
import {
  type GatewayCoupon,
  type GatewaySubscription,
  isEnded,
  type NextCharge,
  type PaymentOutcome,
  purchaseReferenceSchema,
  type RecurringPrice,
  recurringPriceSchema,
  subscriptionStates,
} from '../../billing/gateway/subscription.ts'
import { idOf } from './idOf.ts'
import { readComment } from './requestedChange.ts'

/**
 * Stripe's status of a subscription. A first purchase that was not paid in time has ended; a status that Stripe adds later is
 * read as `paused`: it holds its slot and grants nothing.
 */
export const stripeStatusSchema = z.pipe(
  z.catch(z.enum([...subscriptionStates, 'incomplete_expired']), 'paused'),
  z.transform((status) => (status === 'incomplete_expired' ? 'canceled' : status)),
)

/** The expansion of a subscription. Stripe's limit is four levels, so the payment itself takes another call. */
export const SUBSCRIPTION_EXPANSION = [
  'latest_invoice.confirmation_secret',
  'latest_invoice.payments',
  'discounts.promotion_code',
]

/** Written in the same call as the cancellation of surplus: even after a crash it shows that the refund is due. */
export const REFUND_DUE = 'Surplus: to be refunded'

/** The discounts of a subscription: ids unless they are expanded, as are their promotion codes. */
export const discountsSchema = z.array(
  z.union([
    z.string(),
    z.object({
      source: z.object({ coupon: z.nullable(idOf) }),
      promotion_code: z.nullish(z.union([z.object({ code: z.string() }), z.string()])),
    }),
  ]),
)

const priceSchema = z.object({
  unit_amount: recurringPriceSchema.shape.amount,
  currency: recurringPriceSchema.shape.currency,
  recurring: z.object({
    interval: recurringPriceSchema.shape.interval,
    interval_count: recurringPriceSchema.shape.intervalCount,
  }),
})

const subscriptionSchema = z.object({
  id: z.string(),
  collection_method: z.string(),
  status: stripeStatusSchema,
  customer: idOf,
  metadata: z.record(z.string(), z.string()),
  created: z.number(),
  cancel_at: z.nullable(z.number()),
  ended_at: z.nullable(z.number()),
  cancellation_details: z.nullish(z.object({ comment: z.nullable(z.string()) })),
  discounts: z._default(discountsSchema, []),
  pause_collection: z.nullish(z.looseObject({})),
  items: z.object({ data: z.array(z.object({ current_period_end: z.number(), price: z.optional(z.unknown()) })) }),
  latest_invoice: z.catch(
    z.nullable(
      z.object({
        id: z.string(),
        status: z.nullable(z.string()),
        billing_reason: z.optional(z.nullable(z.string())),
        status_transitions: z.optional(z.object({ paid_at: z.nullable(z.number()) })),
        amount_remaining: z.nullish(z.int()),
        automatically_finalizes_at: z.nullish(z.int()),
        next_payment_attempt: z.nullish(z.int()),
        payments: z.optional(
          z.object({
            data: z.array(
              z.object({ payment: z.object({ payment_intent: z.optional(idOf) }), is_default: z.boolean() }),
            ),
          }),
        ),
      }),
    ),
    null,
  ),
})

/** The further fetch that shows the result of an open payment. */
export type OpenPaymentSource = { paymentIntentId: string } | 'sent invoices'

/** A subscription, and where to find the state of its open payment; null if the subscription itself shows it. */
interface ReadSubscription {
  subscription: GatewaySubscription
  openPayment: OpenPaymentSource | null
  /** Whether the latest invoice waits for its payment. */
  isLatestOpen: boolean
}

/**
 * Reduces Stripe's subscription to the parts that this service uses.
 * @param coveredUntil Unix seconds of the gateway's clock
 * @throws z.core.$ZodError for an object that is no subscription; the call then counts as unknown
 */
export function readSubscription(object: Stripe.Subscription, coveredUntil: number): ReadSubscription {
  const parsed = subscriptionSchema.parse(object)
  const periodEnds = parsed.items.data.map((item) => item.current_period_end)
  const isSent = parsed.collection_method === 'send_invoice'
  const isLatestOpen = parsed.latest_invoice?.status === 'open'
  const refundDue = parsed.cancellation_details?.comment === REFUND_DUE
  const nextCharge = nextChargeOf(parsed)
  return {
    openPayment: isSent ? sentInvoicesOf(parsed) : openPaymentIntentOf(parsed),
    isLatestOpen,
    subscription: {
      gateway: isSent ? 'invoice' : 'card',
      id: parsed.id,
      status: parsed.status,
      customerId: parsed.customer,
      purchase: purchaseReferenceSchema.safeParse(parsed.metadata).data ?? null,
      createdAt: parsed.created,
      currentPeriodEnd: periodEnds.length > 0 ? Math.min(...periodEnds) : null,
      cancelAt: parsed.cancel_at,
      endedAt: parsed.ended_at,
      invoiceId: parsed.latest_invoice?.id ?? null,
      invoicePaidAt: parsed.latest_invoice?.status_transitions?.paid_at ?? null,
      wasPaid: wasPaid(parsed.latest_invoice),
      coupon: couponsIn(parsed.discounts)[0] ?? null,
      payment: isSent ? { kind: 'none' } : ownPaymentOf(parsed),
      price: priceOf(parsed),
      ...(nextCharge !== undefined && { nextCharge }),
      requested: readComment(parsed.cancellation_details?.comment),
      refundDue,
      coveredUntil,
    },
  }
}

/** The coupons of expanded discounts, each by the code that was typed. */
export function couponsIn(discounts: z.output<typeof discountsSchema>): GatewayCoupon[] {
  return discounts.flatMap((discount) => {
    const id = typeof discount === 'string' ? null : discount.source.coupon
    if (typeof discount === 'string' || id === null) return []
    const { promotion_code: promotion } = discount
    return { id, code: typeof promotion === 'object' && promotion ? promotion.code : id }
  })
}

type Parsed = z.output<typeof subscriptionSchema>

/** What a subscription by card shows of its payment without its PaymentIntent: an invoice that was left open or voided. */
function ownPaymentOf({ status, latest_invoice: latest }: Parsed): PaymentOutcome {
  if (isEnded(status) && latest?.status === 'open')
    return { kind: 'invoice_open', hostedInvoiceUrl: null, buysNothing: true }
  return status === 'incomplete' && latest?.status === 'void' ? { kind: 'voided' } : { kind: 'none' }
}

function priceOf({ items: { data } }: Parsed): RecurringPrice | null {
  const { data: price } = priceSchema.safeParse(data.length === 1 ? data[0]?.price : undefined)
  if (!price) return null
  const { unit_amount: amount, currency, recurring } = price
  return { amount, currency, interval: recurring.interval, intervalCount: recurring.interval_count }
}

/**
 * What an invoice that exists will charge; null if nothing will be charged. Undefined if the invoice of the next period is the next to be
 * charged: only a preview shows that.
 */
function nextChargeOf({
  status,
  cancel_at,
  pause_collection,
  latest_invoice: latest,
}: Parsed): NextCharge | null | undefined {
  const renews = status === 'active' || status === 'trialing' || status === 'past_due'
  if (!renews || cancel_at !== null || pause_collection) return null
  if (latest?.status !== 'draft' && latest?.status !== 'open') return undefined
  const at = latest.status === 'draft' ? latest.automatically_finalizes_at : latest.next_payment_attempt
  const amount = latest.amount_remaining
  return at == null || amount == null ? undefined : { amount, at }
}

/** After a renewal, an unpaid subscription may have an invoice that is still a draft, or that was paid or given up by hand. */
function openPaymentIntentOf({ status, latest_invoice: invoice }: Parsed): OpenPaymentSource | null {
  const isOpen =
    status === 'incomplete' || ((status === 'past_due' || status === 'unpaid') && invoice?.status === 'open')
  const payments = isOpen && invoice?.status !== 'void' ? (invoice?.payments?.data ?? []) : []
  const payment = payments.find(({ is_default }) => is_default) ?? payments[0]
  const paymentIntentId = payment?.payment.payment_intent
  return paymentIntentId === undefined ? null : { paymentIntentId }
}

/**
 * If the terms are longer than a period, an older invoice than the latest may be open. Nothing can be open before the first invoice is
 * finalized. Invoices stay open when their subscription ends.
 */
function sentInvoicesOf({ latest_invoice: latest }: Parsed): OpenPaymentSource | null {
  return isFirst(latest) && latest?.status === 'draft' ? null : 'sent invoices'
}

/**
 * A second invoice comes only after the first was paid, except if invoices are sent with more time to pay than a period
 * has. Payments are listed before any refund.
 */
function wasPaid(latest: Parsed['latest_invoice']): boolean {
  if (latest === null) return false
  return !isFirst(latest) || latest.status === 'paid'
}

function isFirst(invoice: Parsed['latest_invoice']): boolean {
  return (invoice?.billing_reason ?? 'subscription_create') === 'subscription_create'
}

/** The state of a subscription's open payment. */
export function readPaymentOutcome(intent: Stripe.PaymentIntent): PaymentOutcome {
  const paymentMethod = typeof intent.payment_method === 'string' ? intent.payment_method : intent.payment_method?.id
  switch (intent.status) {
    case 'requires_action':
    case 'requires_confirmation':
      return intent.client_secret === null
        ? { kind: 'none' }
        : { kind: 'requires_action', clientSecret: intent.client_secret, paymentMethodId: paymentMethod ?? null }
    case 'requires_payment_method':
    case 'canceled': {
      const error = intent.last_payment_error
      return { kind: 'declined', declineCode: error?.decline_code ?? error?.code ?? null }
    }
    default:
      return { kind: 'none' }
  }
}
