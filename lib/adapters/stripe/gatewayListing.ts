import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type {
  GatewayListing,
  ListedCustomer,
  OverdueInvoice,
  Page,
  RedemptionCount,
  Reversal,
} from '../../billing/gateway/gatewayPorts.ts'
import type { ListedSubscription, PaymentOutcome, SubscriptionTerms } from '../../billing/gateway/subscription.ts'
import { organizationIdSchema } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { idIn, idOf } from './idOf.ts'
import { CHARGED, readInvoice } from './invoices.ts'
import { readEvent } from './readEvent.ts'
import { couponsIn, discountsSchema, readSubscription } from './readSubscription.ts'
import { createGatewayCall, type GatewayCall } from './wireCall.ts'

const namedOrganization = z.object({ organization_id: organizationIdSchema })

function readCustomer({ id, name, email, metadata }: Stripe.Customer): ListedCustomer {
  const organizationId = namedOrganization.safeParse(metadata).data?.organization_id ?? null
  return { id, organizationId, hasName: Boolean(name), hasEmail: Boolean(email) }
}

/** `GatewayListing` on Stripe's API. */
export function createGatewayListing(stripe: Stripe, logger: Logger): GatewayListing {
  const call = createGatewayCall(logger)
  const expand = ['data.latest_invoice', ...TERMS_EXPANSION]
  return {
    gateway: 'card',

    async listSubscriptions(cursor) {
      const list = (cards: readonly string[]) =>
        call(
          () => stripe.subscriptions.list({ status: 'all', expand: [...expand, ...cards], ...pageAfter(cursor) }),
          (page, coveredUntil) => pageOf(page, (row) => readListed(row, coveredUntil)),
        )
      const page = await list([OWN_CARD, DEFAULT_CARD])
      // A deleted customer has no default card to expand, which may refuse the whole page.
      return page.kind === 'refused' ? list([OWN_CARD]) : page
    },

    listCustomerSubscriptions: (customer) =>
      call(
        () =>
          stripe.subscriptions
            .list({ customer, status: 'all', limit: 100, expand })
            .autoPagingToArray({ limit: 10_000 }),
        (all, coveredUntil) => all.map((row) => readListed(row, coveredUntil)),
      ),

    listCustomers: (cursor) =>
      call(
        () => stripe.customers.list(pageAfter(cursor)),
        (page) => pageOf(page, readCustomer),
      ),

    listUndeliveredEvents: (since, cursor) =>
      call(
        () =>
          stripe.events.list({
            types: ['setup_intent.succeeded', 'customer.deleted', 'invoice.paid', 'invoice.payment_failed'],
            created: { gte: since },
            delivery_success: false,
            ...pageAfter(cursor),
          }),
        (page) => pageOf(page, readEvent),
      ),

    ...createListedMoney(stripe, call),

    async countRedemptions({ id, code }) {
      const coupon = await call(() => stripe.coupons.retrieve(id), readCount)
      if (coupon.kind === 'refused' && coupon.reason === 'not_found')
        return { kind: 'ok', value: null, replayed: false }
      if (coupon.kind !== 'ok' || coupon.value !== null || code === id) return coupon
      return call(
        () => stripe.promotionCodes.list({ coupon: id, code, limit: 1 }),
        ({ data: [promotion] }) => (promotion ? readCount(promotion) : null),
      )
    },
  }
}

function readCount({
  max_redemptions: limit,
  times_redeemed: redeemed,
}: Pick<Stripe.Coupon, 'max_redemptions' | 'times_redeemed'>): RedemptionCount | null {
  return limit === null ? null : { redeemed, limit }
}

/** Considers only the latest invoice, and no payment. */
function readListed(object: Stripe.Subscription, coveredUntil: number): ListedSubscription {
  const { subscription, openPayment, isLatestOpen } = readSubscription(object, coveredUntil)
  const payment: PaymentOutcome =
    openPayment === 'sent invoices' && isLatestOpen
      ? { kind: 'invoice_open', hostedInvoiceUrl: null }
      : { kind: 'none' }
  const payingCard = subscription.gateway === 'card' ? readPayingCard(object) : undefined
  return { ...subscription, payment, terms: readTerms(object), ...(payingCard && { payingCard }) }
}

/** The parameters of the page of 100 rows, Stripe's limit, that begins after the row with this id. */
function pageAfter(cursor: string | undefined): { limit: number; starting_after?: string } {
  return { limit: 100, ...(cursor !== undefined && { starting_after: cursor }) }
}

/** A page of Stripe's with its rows reduced; its cursor is the id of its last row (https://docs.stripe.com/api/pagination). */
function pageOf<Row extends { id: string }, Value>(
  { data, has_more }: Stripe.ApiList<Row>,
  read: (row: Row) => Value | readonly Value[],
): Page<Value> {
  const last = data.at(-1)
  return { rows: data.flatMap(read), ...(has_more && last && { next: last.id }) }
}

type ListedMoney = Pick<GatewayListing, 'listReversals' | 'listOverdue' | 'findPaidInvoice'>

const charge = z.object({ refunded: z.boolean() })
const refundSchema = z.object({
  status: z.nullable(z.string()),
  payment_intent: z.nullable(idOf),
  charge: z.nullable(charge),
})
const disputeSchema = z.object({ status: z.string(), payment_intent: z.nullable(idOf) })
const invoicePaymentSchema = z.object({
  invoice: z.object({
    id: z.string(),
    parent: z.nullable(z.object({ subscription_details: z.nullable(z.object({ subscription: idOf })) })),
  }),
})

/**
 * Refunds, disputes and invoices: https://docs.stripe.com/api/refunds/list, https://docs.stripe.com/api/disputes/list,
 * https://docs.stripe.com/api/invoices/list.
 */
function createListedMoney(stripe: Stripe, callGateway: GatewayCall): ListedMoney {
  return {
    listReversals(kind, since, cursor) {
      const params = { created: { gte: since }, ...pageAfter(cursor) }
      return kind === 'refund'
        ? callGateway(
            () => stripe.refunds.list({ ...params, expand: ['data.charge'] }),
            (page) => pageOf(page, readRefund),
          )
        : callGateway(
            () => stripe.disputes.list(params),
            (page) => pageOf(page, readDispute),
          )
    },

    listOverdue: (dueBefore, cursor) =>
      callGateway(
        () =>
          stripe.invoices.list({
            status: 'open',
            collection_method: 'send_invoice',
            due_date: { lt: dueBefore },
            expand: [`data.${CHARGED}`],
            ...pageAfter(cursor),
          }),
        (page) => pageOf(page, readOverdue),
      ),

    findPaidInvoice: (paymentIntent) =>
      callGateway(
        () =>
          stripe.invoicePayments.list({
            payment: { type: 'payment_intent', payment_intent: paymentIntent },
            expand: ['data.invoice'],
          }),
        ({ data }) => {
          const [paid] = data.map((row) => invoicePaymentSchema.parse(row).invoice)
          const subscriptionId = paid?.parent?.subscription_details?.subscription
          return paid && subscriptionId !== undefined ? { subscriptionId, invoiceId: paid.id } : null
        },
      ),
  }
}

/** A refund without a PaymentIntent concerns something that this service never sells. */
function readRefund(object: Stripe.Refund): Reversal[] {
  const { status, payment_intent, charge: refunded } = refundSchema.parse(object)
  const final = status === 'succeeded' && refunded?.refunded === true
  return payment_intent === null ? [] : [{ kind: 'refund', final, paymentIntentId: payment_intent }]
}

function readDispute(object: Stripe.Dispute): Reversal[] {
  const { status, payment_intent } = disputeSchema.parse(object)
  return payment_intent === null ? [] : [{ kind: 'dispute', final: status === 'lost', paymentIntentId: payment_intent }]
}

/** An invoice without a customer or due date is nothing that this service sends. */
function readOverdue(object: Stripe.Invoice): OverdueInvoice[] {
  const { id, customer, due_date: dueAt, amount_remaining: amount, currency } = object
  const customerId = idIn(customer)
  if (customerId === null || dueAt === null) return []
  return readInvoice(object).map((invoice) => ({ id, amount, currency, dueAt, customerId, invoice }))
}

/** The expansion that a list of subscriptions needs for the coupons of its discounts. */
const TERMS_EXPANSION = ['data.discounts.promotion_code']

const termsSchema = z.object({
  items: z.object({
    data: z.array(
      z.object({
        quantity: z._default(z.number(), 1),
        price: z.object({ id: z.string(), lookup_key: z.nullable(z.string()), product: idOf, currency: z.string() }),
      }),
    ),
  }),
  currency: z.string(),
  pause_collection: z.nullable(z.looseObject({})),
  discounts: discountsSchema,
  trial_end: z.nullable(z.number()),
})

/**
 * Reduces Stripe's subscription to its terms.
 * @throws z.core.$ZodError for an object that is no subscription; the call then counts as unknown
 */
function readTerms(object: Stripe.Subscription): SubscriptionTerms {
  const { items, currency, pause_collection, discounts, trial_end } = termsSchema.parse(object)
  return {
    items: items.data.map(({ quantity, price }) => ({
      priceId: price.id,
      lookupKey: price.lookup_key,
      gatewayProductId: price.product,
      currency: price.currency,
      quantity,
    })),
    currency,
    collectionPaused: pause_collection !== null,
    couponIds: couponsIn(discounts).map(({ id }) => id),
    trialEnd: trial_end,
  }
}

/** The expansions for the cards that pay for subscriptions: their own, and the customer's default. Stripe's limit is four levels. */
const OWN_CARD = 'data.default_payment_method'
const DEFAULT_CARD = 'data.customer.invoice_settings.default_payment_method'

const paymentMethodSchema = z.nullish(
  z.union([
    z.string(),
    z.object({ card: z.optional(z.nullable(z.object({ exp_month: z.int(), exp_year: z.int() }))) }),
  ]),
)
const payerSchema = z.object({
  default_payment_method: paymentMethodSchema,
  customer: z.union([
    z.string(),
    z.object({ invoice_settings: z.optional(z.object({ default_payment_method: paymentMethodSchema })) }),
  ]),
})

/** The card that pays for a subscription, as far as it was expanded. Whatever it is, it changes nothing else of the subscription. */
function readPayingCard(object: Stripe.Subscription): ListedSubscription['payingCard'] {
  const { data } = payerSchema.safeParse(object)
  const customer = typeof data?.customer === 'object' ? data.customer : undefined
  const payer = data?.default_payment_method ?? customer?.invoice_settings?.default_payment_method
  const card = typeof payer === 'object' ? payer?.card : undefined
  return card ? { expMonth: card.exp_month, expYear: card.exp_year } : undefined
}
