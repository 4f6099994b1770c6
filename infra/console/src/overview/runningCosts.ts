import type { Product, Subscription, SubscriptionPrice } from '../app/types.ts'

/** Charges that come on the same day. */
interface ComingCharge {
  /** In the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  /** RFC 3339. */
  readonly at: string
  readonly products: readonly Product[]
}

/** The states in which a subscription is charged again. */
const renewing: readonly Subscription['status'][] = ['trialing', 'active', 'past_due']

/**
 * What the subscriptions cost that renew, before discount and tax: a sum for each currency and interval. Left out are those that end, are
 * not paid or have no price.
 */
export function runningCosts(subscriptions: readonly Subscription[]): readonly SubscriptionPrice[] {
  const sums = new Map<string, SubscriptionPrice>()
  for (const { price, status, cancel_at } of subscriptions) {
    if (price === null || cancel_at !== null || !renewing.includes(status)) continue
    const key = `${price.currency} ${price.interval} ${price.interval_count}`
    sums.set(key, { ...price, amount: price.amount + (sums.get(key)?.amount ?? 0) })
  }
  return [...sums.values()]
}

/** The next day on which something is charged or invoiced, with the sum in the currency of the first charge; undefined if nothing will be. */
export function comingCharge(subscriptions: readonly Subscription[]): ComingCharge | undefined {
  const charges = subscriptions
    .flatMap(({ product, price, next_charge }) =>
      price && next_charge ? [{ product, currency: price.currency, ...next_charge }] : [],
    )
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const [first] = charges
  if (first === undefined) return undefined
  const together = charges.filter(({ at, currency }) => currency === first.currency && dayOf(at) === dayOf(first.at))
  return {
    amount: together.reduce((sum, { amount }) => sum + amount, 0),
    currency: first.currency,
    at: first.at,
    products: together.map(({ product }) => product),
  }
}

/** A day of the reader's calendar. */
function dayOf(time: string): string {
  return new Date(time).toDateString()
}
