import type Stripe from 'stripe'
import { openEmulator, withPayment } from './openEmulator.ts'

/** The only item of a subscription. */
export function itemOf({ items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = items.data
  if (item === undefined) throw new Error('a subscription has an item')
  return item
}

/** Opens an emulator whose clock is still until it is advanced, with one customer whose default card is a Visa, and helpers for subscription tests. */
export async function openSubscriber() {
  const opened = Date.now() / 1000
  const emulator = await openEmulator({ now: () => opened })
  const { stripe } = emulator
  const { id: customer } = await emulator.customerWith('pm_card_visa')
  return {
    ...emulator,
    customer,
    now: () => emulator.core.now(),
    buy: (more: Partial<Stripe.SubscriptionCreateParams> = {}) => emulator.subscribe(customer, more),
    update: (id: string, params: Stripe.SubscriptionUpdateParams) =>
      stripe.subscriptions.update(id, { expand: withPayment, ...params }),
    /** Advances the clock by half a period of a subscription. */
    async halfway(subscription: Stripe.Subscription) {
      const { current_period_start: start, current_period_end: end } = itemOf(subscription)
      await emulator.advance((end - start) / 2)
    },
    /** Makes another test card the customer's default. */
    replaceCard: (card: string) => emulator.replaceCard(customer, card),
  }
}

export type Subscriber = Awaited<ReturnType<typeof openSubscriber>>
