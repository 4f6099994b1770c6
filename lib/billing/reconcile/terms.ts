import { type Product, planCodes } from '../catalog.ts'
import type { ListedSubscription, RecurringPrice, SubscriptionItem } from '../gateway/subscription.ts'
import type { Slot } from '../slot/slot.ts'

/** The product's price in today's catalog; undefined if the gateway has none. */
type CurrentPrice = { gatewayProductId: string } | undefined

/** Whether an item is the product's: if its price has the product's lookup key, or is another price of the product at the gateway. */
function isPriceOf(item: SubscriptionItem, product: Product, current: CurrentPrice): boolean {
  return item.lookupKey === planCodes[product] || item.gatewayProductId === current?.gatewayProductId
}

/** Whether a subscription sells this product, by its prices: anybody may edit its metadata. */
export function sells({ terms }: ListedSubscription, product: Product, current: CurrentPrice): boolean {
  return terms.items.some((item) => isPriceOf(item, product, current))
}

/**
 * How a subscription differs from its sale. We sell a single item of the product, quantity 1, at the recorded price, with the coupon in the
 * slot, if any.
 */
interface TermsDifference {
  here: string
  there: string
  why: string
}

export function termsDifferences(
  { product, coupon, subscription }: Slot,
  { status, terms, price }: ListedSubscription,
  current: CurrentPrice,
): TermsDifference[] {
  const differences: TermsDifference[] = []
  const differs = (here: string, there: string, why: string) => differences.push({ here, there, why })
  const { items } = terms
  if (items.length !== 1) differs('1 item', `${items.length} items`, 'its items were changed')
  const sold = describePrice(subscription?.price)
  const now = describePrice(price)
  if (subscription?.price && items.length === 1 && now !== sold) differs(sold, now, 'its price was replaced')
  for (const item of items) {
    if (!isPriceOf(item, product, current)) differs(planCodes[product], item.priceId, 'its price is of another product')
    if (item.quantity !== 1) differs('quantity 1', `quantity ${item.quantity}`, 'its quantity was changed')
    if (item.currency !== terms.currency) differs(item.currency, terms.currency, 'its currency is not its price’s')
  }
  if (terms.collectionPaused) differs('collected', 'paused', 'collecting its payments is paused')
  for (const id of terms.couponIds) {
    if (id !== coupon?.id)
      differs(coupon ? `coupon ${coupon.id}` : 'no coupon', `coupon ${id}`, 'it has another discount')
  }
  if (status === 'trialing') differs('no trial', `trial until ${terms.trialEnd}`, 'no trial is sold')
  return differences
}

/** `4900 usd / 1 month`, in the currency's smallest unit. */
function describePrice(price: RecurringPrice | null | undefined): string {
  return price ? `${price.amount} ${price.currency} / ${price.intervalCount} ${price.interval}` : 'no single amount'
}
