import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { CallLimits, PurchaseKey, Purchases, ReadLimits } from '../../billing/gateway/gatewayPorts.ts'
import {
  type GatewaySubscription,
  isEnded,
  type PaymentOutcome,
  purchaseReferenceSchema,
} from '../../billing/gateway/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import type { Collection } from './collections.ts'
import { idIn } from './idOf.ts'
import { createPreviews, previewRenewal } from './previews.ts'
import {
  type OpenPaymentSource,
  REFUND_DUE,
  readPaymentOutcome,
  readSubscription,
  SUBSCRIPTION_EXPANSION,
  stripeStatusSchema,
} from './readSubscription.ts'
import { commentOf } from './requestedChange.ts'
import type { ChangeOfEnd } from './scheduleRelease.ts'
import { listOpenInvoices, readOldestInvoice } from './sentInvoices.ts'
import { type GatewayCall, noValue, readLimits, type WireLimits } from './wireCall.ts'

/** This service wrote the frozen request itself; the schema only guards against another writer. */
const frozenSchema = z.looseObject({ items: z.array(z.object({ price: z.string() })) })

/** `Purchases` on Stripe's subscriptions: a price each, collected as `collect` says. */
export function createPurchases(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
  { automaticTax, collect, changeEnd }: { automaticTax: boolean; collect: Collection; changeEnd: ChangeOfEnd },
): Purchases {
  /** The state of a payment that the subscription itself does not show. */
  function fetchPayment(source: OpenPaymentSource, subscription: string): Promise<GatewayAnswer<PaymentOutcome>> {
    if (source !== 'sent invoices')
      return callGateway(() => stripe.paymentIntents.retrieve(source.paymentIntentId), readPaymentOutcome)
    return callGateway(() => listOpenInvoices(stripe, subscription), readOldestInvoice)
  }

  /** Runs a call that answers with a subscription. Its open payment and its next charge are fetched too, if it does not show them. */
  async function subscriptionOf(
    call: () => Promise<Stripe.Subscription>,
    limits?: CallLimits,
  ): Promise<GatewayAnswer<GatewaySubscription>> {
    const answer = await callGateway(call, readSubscription, limits && wireLimits(clock, limits))
    if (answer.kind !== 'ok') return answer
    const { subscription, openPayment } = answer.value
    const payment = openPayment && (await fetchPayment(openPayment, subscription.id))
    if (payment && payment.kind !== 'ok') return { kind: 'unknown', saved: false }
    const value = { ...subscription, ...(payment && { payment: payment.value }) }
    // A replayed answer is as old as its first sending: the subscription is fetched again.
    if (value.nextCharge !== undefined || answer.replayed) return { ...answer, value }
    const nextCharge = await previewRenewal(stripe, callGateway, clock, value, limits?.answerBy)
    return { ...answer, value: { ...value, ...(nextCharge && { nextCharge }) } }
  }

  /** All of the customer's subscriptions, in every status. */
  function listAll(customer: string, limits?: ReadLimits): Promise<GatewayAnswer<Stripe.Subscription[]>> {
    return callGateway(
      () => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray(EVERY_PAGE),
      (all) => all,
      readLimits(clock, limits?.answerBy),
    )
  }

  return {
    freezeSubscription({ price, coupon, purchase, ...collected }) {
      const discount =
        coupon && (coupon.promotionCodeId ? { promotion_code: coupon.promotionCodeId } : { coupon: coupon.id })
      const params: Omit<Stripe.SubscriptionCreateParams, 'customer'> = {
        items: [{ price: price.id }],
        currency: price.currency,
        ...collect(collected),
        metadata: { ...purchase, n: String(purchase.n) },
        expand: SUBSCRIPTION_EXPANSION,
        ...(discount && { discounts: [discount] }),
        ...(automaticTax && { automatic_tax: { enabled: true } }),
      }
      return JSON.stringify(params)
    },

    createSubscription(frozenRequest, customerId, key, limits) {
      const params = frozenSchema.parse(JSON.parse(frozenRequest))
      return subscriptionOf(
        () => stripe.subscriptions.create({ ...params, customer: customerId }, { idempotencyKey: key }),
        limits,
      )
    },

    ...createPreviews(stripe, callGateway, clock),

    fetchSubscription(id) {
      return subscriptionOf(() => stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPANSION }))
    },

    async findSubscription(customerId, purchase, frozenRequest) {
      const listed = await listAll(customerId)
      if (listed.kind !== 'ok') return listed
      const claiming = listed.value.filter(({ metadata }) => isPurchase(metadata, purchase))
      const found = claiming.find(isOpen) ?? claiming[0] ?? listed.value.find(sellsAsFrozen(frozenRequest))
      return found ? this.fetchSubscription(found.id) : { ...listed, value: null }
    },

    async countPurchases(customerId, purchase) {
      const listed = await listAll(customerId)
      if (listed.kind !== 'ok') return listed
      return { ...listed, value: listed.value.filter(({ metadata }) => isPurchase(metadata, purchase)).length }
    },

    async listOwnCards(customerId, limits) {
      const listed = await listAll(customerId, limits)
      if (listed.kind !== 'ok') return listed
      const open = listed.value.filter((object) => isOpen(object) && object.status !== 'incomplete')
      return {
        ...listed,
        value: open.map(({ id, default_payment_method: method }) => ({
          subscriptionId: id,
          paymentMethodId: idIn(method),
        })),
      }
    },

    setPaymentMethod(id, paymentMethodId) {
      return callGateway(
        () => stripe.subscriptions.update(id, { default_payment_method: paymentMethodId ?? '' }),
        noValue,
      )
    },

    cancelAtPeriodEnd(id, by, reason) {
      const cancellation_details = { comment: commentOf({ change: 'schedule', by, reason }) }
      const params = { cancel_at_period_end: true, cancellation_details, expand: SUBSCRIPTION_EXPANSION }
      return changeEnd(id, () => subscriptionOf(() => stripe.subscriptions.update(id, params)))
    },

    async resumeSubscription(id, by) {
      const expand = SUBSCRIPTION_EXPANSION
      const cancellation_details = { comment: commentOf({ change: 'resume', by }) }
      const params = { cancel_at_period_end: false, cancellation_details, expand }
      const resumed = await changeEnd(id, () => subscriptionOf(() => stripe.subscriptions.update(id, params)))
      if (resumed.kind !== 'ok' || resumed.value.cancelAt === null) return resumed
      // Scheduled for an explicit time, as Stripe's customer portal does: a call takes only one of the two parameters.
      return subscriptionOf(() => stripe.subscriptions.update(id, { cancel_at: '', expand }))
    },

    cancelNow(id, why) {
      const comment = why.kind === 'asked' ? commentOf({ ...why, change: 'cancel' }) : REFUND_DUE
      const cancellation_details = { comment }
      return subscriptionOf(() =>
        stripe.subscriptions.cancel(id, { cancellation_details, expand: SUBSCRIPTION_EXPANSION }),
      )
    },
  }
}

/** The SDK requires a bound. Stripe allows 500 subscriptions per customer that have not ended. */
const EVERY_PAGE = { limit: 10_000 }

function isPurchase(metadata: Stripe.Metadata, purchase: PurchaseKey): boolean {
  const reference = purchaseReferenceSchema.safeParse(metadata).data
  return (
    reference !== undefined &&
    reference.organization_id === purchase.organization_id &&
    reference.plan_code === purchase.plan_code &&
    reference.n === purchase.n
  )
}

function isOpen({ status }: Stripe.Subscription): boolean {
  return !isEnded(stripeStatusSchema.parse(status))
}

/** Whether a subscription is open and sells the price that was frozen with a purchase. */
function sellsAsFrozen(frozenRequest: string): (subscription: Stripe.Subscription) => boolean {
  const { data: frozen } = frozenSchema.safeParse(JSON.parse(frozenRequest))
  const prices = frozen?.items.map(({ price }) => price) ?? []
  return (subscription) =>
    isOpen(subscription) && subscription.items.data.some(({ price }) => prices.includes(price?.id))
}

function wireLimits(clock: Clock, { sendUntil, answerBy, resend }: CallLimits): WireLimits {
  return {
    mayStart: () => clock.now() < sendUntil && clock.now() < answerBy,
    abortAfter: answerBy - clock.now(),
    key: { resend },
  }
}
