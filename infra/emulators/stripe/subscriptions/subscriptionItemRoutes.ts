import type Stripe from 'stripe'
import { page, pageShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { uncoveredItemParams } from './subscriptionItems.ts'
import { changeParams } from './subscriptionParams.ts'
import { updateSubscription } from './subscriptionUpdate.ts'

type Subscription = Wire<Stripe.Subscription>
type Item = Wire<Stripe.SubscriptionItem>

const billing = { ...changeParams, proration_date: p.integer(0).optional() }
const createParams = p.paramsFor<Stripe.SubscriptionItemCreateParams>()(
  {
    ...billing,
    metadata: p.metadata().optional(),
    price: p.text(),
    quantity: p.integer(0).optional(),
    subscription: p.text(),
  },
  uncoveredItemParams,
)
const updateParams = p.paramsFor<Stripe.SubscriptionItemUpdateParams>()(
  {
    ...billing,
    metadata: p.metadata().optional(),
    off_session: p.flag().optional(),
    price: p.text().optional(),
    quantity: p.integer(0).optional(),
  },
  uncoveredItemParams,
)
const deleteParams = p.paramsFor<Stripe.SubscriptionItemDeleteParams>()(billing, ['clear_usage'])
const listParams = p.paramsFor<Stripe.SubscriptionItemListParams>()({ ...pageShape, subscription: p.text() })

function requireItem(context: Context, id: string): { subscription: Subscription; item: Item } {
  for (const subscription of context.store.all('subscriptions')) {
    const item = subscription.items.data.find((row) => row.id === id)
    if (item !== undefined) return { subscription, item }
  }
  throw resourceMissing('subscription_item', id, 'item')
}

/** Endpoints of https://docs.stripe.com/api/subscription_items: updates of a single item of a subscription. */
export const subscriptionItemRoutes = [
  route('POST', '/v1/subscription_items', createParams, (context, sent) => {
    const { subscription: id, price, quantity, metadata: named, ...how } = sent
    const before = requireRow(context, 'subscriptions', id, 'subscription')
    const after = updateSubscription(context, before, { ...how, items: [{ price, quantity, metadata: named }] })
    const added = after.items.data.find((item) => !before.items.data.some((old) => old.id === item.id))
    // An item of a pending update does not exist yet.
    const waiting = after.pending_update?.subscription_items?.find((item) => item.price.id === price)
    const item = added ?? waiting
    if (item === undefined) throw invalidRequest('The item was not added.')
    return item
  }),
  route('GET', '/v1/subscription_items', listParams, (context, sent) => {
    const { items } = requireRow(context, 'subscriptions', sent.subscription, 'subscription')
    return page(items.data.toReversed(), sent, '/v1/subscription_items')
  }),
  route('GET', '/v1/subscription_items/:id', p.noParams, (context, _sent, id) => requireItem(context, id).item),
  route('POST', '/v1/subscription_items/:id', updateParams, (context, sent, id) => {
    const { price, quantity, metadata: named, ...how } = sent
    const { subscription } = requireItem(context, id)
    updateSubscription(context, subscription, { ...how, items: [{ id, price, quantity, metadata: named }] })
    return requireItem(context, id).item
  }),
  route(
    'DELETE',
    '/v1/subscription_items/:id',
    deleteParams,
    (context, sent, id): Wire<Stripe.DeletedSubscriptionItem> => {
      const { subscription } = requireItem(context, id)
      updateSubscription(context, subscription, { ...sent, items: [{ id, deleted: true }] })
      return { id, object: 'subscription_item', deleted: true }
    },
  ),
]
