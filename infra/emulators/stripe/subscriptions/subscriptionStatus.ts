import type Stripe from 'stripe'
import type { Wire } from '../wire/wire.ts'

const live = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** Whether the subscription gives (or owes) service: trialing, active, past_due, unpaid or paused. */
export function isLive(subscription: Pick<Wire<Stripe.Subscription>, 'status'>): boolean {
  return live.includes(subscription.status)
}

/** Whether the subscription is in a final state: canceled or incomplete_expired. */
export function isEnded(subscription: Pick<Wire<Stripe.Subscription>, 'status'>): boolean {
  return subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
}
