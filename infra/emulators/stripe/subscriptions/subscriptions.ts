import type Stripe from 'stripe'
import type { z } from 'zod'
import { page, pageShape, within } from '../params/pagination.ts'
import { type ParsedBy, paramsFor, range, text, word } from '../params/params.ts'
import { endDiscount } from '../resources/discounts.ts'
import { change } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { notCovered, resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { cancelSubscription } from './subscriptionCancel.ts'
import { createSubscription } from './subscriptionCreate.ts'
import { cancelParams, createParams, updateParams } from './subscriptionParams.ts'
import { pauseParams, pauseSubscription, resumeParams, resumeSubscription } from './subscriptionPause.ts'
import { isEnded } from './subscriptionStatus.ts'
import { updateSubscription } from './subscriptionUpdate.ts'

type Subscription = Wire<Stripe.Subscription>

const statuses = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const

const listParams = paramsFor<Stripe.SubscriptionListParams>()(
  {
    ...pageShape,
    collection_method: word(['charge_automatically', 'send_invoice']).optional(),
    created: range().optional(),
    current_period_end: range().optional(),
    current_period_start: range().optional(),
    customer: text().optional(),
    plan: text().optional(),
    price: text().optional(),
    status: word(statuses).optional(),
  },
  ['automatic_tax', 'customer_account', 'test_clock'],
)
const noParams = paramsFor<Stripe.SubscriptionRetrieveParams>()({})

function requireSubscription(context: Context, id: string): Subscription {
  const subscription = context.store.get('subscriptions', id)
  if (subscription === undefined) throw resourceMissing('subscription', id, 'id')
  return subscription
}

function hasStatus(subscription: Subscription, wanted: (typeof statuses)[number] | undefined): boolean {
  if (wanted === undefined) return subscription.status !== 'canceled'
  if (wanted === 'ended') return isEnded(subscription)
  return wanted === 'all' || wanted === subscription.status
}

/** A filter on periods looks at the earliest of the items'. */
function periodWithin(
  subscription: Subscription,
  member: 'current_period_end' | 'current_period_start',
  filter: z.output<ReturnType<typeof range>> | undefined,
): boolean {
  return within(Math.min(...subscription.items.data.map((item) => item[member])), filter)
}

function list(context: Context, sent: ParsedBy<typeof listParams>): object {
  const { store } = context
  if (
    sent.customer !== undefined &&
    !store.get('customers', sent.customer) &&
    !store.get('deleted_customers', sent.customer)
  ) {
    throw resourceMissing('customer', sent.customer, 'customer')
  }
  const rows = store.all('subscriptions').filter((row) => {
    return (
      (sent.customer ?? row.customer) === row.customer &&
      hasStatus(row, sent.status) &&
      (sent.collection_method ?? row.collection_method) === row.collection_method &&
      (sent.plan === undefined || row.items.data.some((item) => item.price.id === sent.plan)) &&
      (sent.price === undefined || row.items.data.some((item) => item.price.id === sent.price)) &&
      within(row.created, sent.created) &&
      periodWithin(row, 'current_period_end', sent.current_period_end) &&
      periodWithin(row, 'current_period_start', sent.current_period_start)
    )
  })
  return page(rows, sent, '/v1/subscriptions')
}

/** Endpoints of https://docs.stripe.com/api/subscriptions. */
export const subscriptionRoutes = [
  route('POST', '/v1/subscriptions', createParams, createSubscription),
  route('GET', '/v1/subscriptions', listParams, list),
  route('GET', '/v1/subscriptions/:id', noParams, (context, _sent, id) => requireSubscription(context, id)),
  route('POST', '/v1/subscriptions/:id', updateParams, (context, sent, id) => {
    return updateSubscription(context, requireSubscription(context, id), sent)
  }),
  route('POST', '/v1/subscriptions/:id/pause', pauseParams, (context, _sent, id) => {
    return pauseSubscription(context, requireSubscription(context, id), 'pause_requested')
  }),
  route('POST', '/v1/subscriptions/:id/resume', resumeParams, (context, sent, id) => {
    return resumeSubscription(context, requireSubscription(context, id), sent)
  }),
  route('DELETE', '/v1/subscriptions/:id', cancelParams, (context, sent, id) => {
    const subscription = requireSubscription(context, id)
    // An ended subscription can be read but not ended again: stripe-go#1887 calls the 404 expected.
    if (isEnded(subscription)) throw resourceMissing('subscription', id, 'id')
    return cancelSubscription(context, subscription, sent)
  }),
  route('DELETE', '/v1/subscriptions/:id/discount', noParams, (context, _sent, id) => {
    const subscription = requireSubscription(context, id)
    const [discount] = subscription.discounts
    if (discount === undefined) throw resourceMissing('discount for subscription', id, 'id')
    if (subscription.discounts.length > 1) throw notCovered('DELETE of one discount where a subscription has several')
    const deleted = endDiscount(context, discount)
    change(context, 'subscriptions', subscription, { discounts: [] }, 'customer.subscription.updated')
    return deleted ?? {}
  }),
]
