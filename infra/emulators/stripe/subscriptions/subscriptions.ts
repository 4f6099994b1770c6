import type Stripe from 'stripe'
import type { z } from 'zod'
import { listShape, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { endDiscount } from '../resources/discounts.ts'
import { changeSubscription } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import { resourceMissing } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { cancelSubscription } from './subscriptionCancel.ts'
import { createSubscription } from './subscriptionCreate.ts'
import { cancelParams, createParams, updateParams } from './subscriptionParams.ts'
import { pauseParams, pauseSubscription, resumeParams, resumeSubscription } from './subscriptionPause.ts'
import { isEnded } from './subscriptionStatus.ts'
import { updateSubscription } from './subscriptionUpdate.ts'

type Subscription = Wire<Stripe.Subscription>

const statuses = words('active all canceled ended incomplete incomplete_expired past_due paused trialing unpaid')

const listParams = p.paramsFor<Stripe.SubscriptionListParams>()(
  {
    ...listShape,
    collection_method: p.word(['charge_automatically', 'send_invoice']).optional(),
    current_period_end: p.range().optional(),
    current_period_start: p.range().optional(),
    customer: p.text().optional(),
    plan: p.text().optional(),
    price: p.text().optional(),
    status: p.word(statuses).optional(),
  },
  ['automatic_tax', 'customer_account', 'test_clock'],
)

function hasStatus(subscription: Subscription, wanted: (typeof statuses)[number] | undefined): boolean {
  if (wanted === undefined) return subscription.status !== 'canceled'
  if (wanted === 'ended') return isEnded(subscription)
  return wanted === 'all' || wanted === subscription.status
}

/** A filter on periods looks at the earliest of the items'. */
function periodWithin(
  subscription: Subscription,
  member: 'current_period_end' | 'current_period_start',
  filter: z.output<ReturnType<typeof p.range>> | undefined,
): boolean {
  return within(Math.min(...subscription.items.data.map((item) => item[member])), filter)
}

function hasPrice({ items }: Subscription, price: string | undefined): boolean {
  return price === undefined || items.data.some((item) => item.price.id === price)
}

/** Endpoints of https://docs.stripe.com/api/subscriptions. */
export const subscriptionRoutes = [
  ...resourceRoutes('subscriptions', {
    create: { params: createParams, run: createSubscription },
    list: {
      params: listParams,
      check(context, { customer }) {
        if (customer !== undefined && !context.store.get('deleted_customers', customer))
          requireRow(context, 'customers', customer, 'customer')
      },
      same: ['customer', 'collection_method'],
      where: (row, sent) =>
        hasStatus(row, sent.status) &&
        hasPrice(row, sent.plan) &&
        hasPrice(row, sent.price) &&
        periodWithin(row, 'current_period_end', sent.current_period_end) &&
        periodWithin(row, 'current_period_start', sent.current_period_start),
    },
    update: { params: updateParams, run: updateSubscription },
  }),
  route('POST', '/v1/subscriptions/:id/pause', pauseParams, (context, _sent, id) => {
    return pauseSubscription(context, requireRow(context, 'subscriptions', id), 'pause_requested')
  }),
  route('POST', '/v1/subscriptions/:id/resume', resumeParams, (context, sent, id) => {
    return resumeSubscription(context, requireRow(context, 'subscriptions', id), sent)
  }),
  route('DELETE', '/v1/subscriptions/:id', cancelParams, (context, sent, id) => {
    const subscription = requireRow(context, 'subscriptions', id)
    // An ended subscription can be read but not ended again: stripe-go#1887 calls the 404 expected.
    if (isEnded(subscription)) throw resourceMissing('subscription', id, 'id')
    return cancelSubscription(context, subscription, sent)
  }),
  route('DELETE', '/v1/subscriptions/:id/discount', p.noParams, (context, _sent, id) => {
    const subscription = requireRow(context, 'subscriptions', id)
    const [discount] = subscription.discounts
    if (discount === undefined) throw resourceMissing('discount for subscription', id, 'id')
    if (subscription.discounts.length > 1)
      throw notCovered('operation', 'DELETE of one discount if a subscription has several')
    const deleted = endDiscount(context, discount)
    changeSubscription(context, subscription, { discounts: [] })
    return deleted ?? {}
  }),
]
