import { type Product, planCodes } from '../catalog.ts'
import type { ListedSubscription, SubscriptionItem } from '../gateway/subscription.ts'
import type { Slot } from '../slot/slot.ts'

/** The product's price as the catalog has it now; undefined where the gateway has none. */
type CurrentPrice = { gatewayProductId: string } | undefined

/** Whether an item is the product's: by its price's lookup key, or as another price of the same product at the gateway. */
function isPriceOf(item: SubscriptionItem, product: Product, current: CurrentPrice): boolean {
  return item.lookupKey === planCodes[product] || item.gatewayProductId === current?.gatewayProductId
}

/** Whether a subscription sells this product at all: what metadata say can be edited. */
export function sells({ terms }: ListedSubscription, product: Product, current: CurrentPrice): boolean {
  return terms.items.some((item) => isPriceOf(item, product, current))
}

/** How a subscription differs from what is sold here: one item of the product, once, at the coupon that was named. */
export interface TermsDifference {
  here: string
  there: string
  why: string
}

/** Every difference between the slot's own subscription and what was sold. */
export function termsDifferences(
  { product, coupon }: Slot,
  { status, terms }: ListedSubscription,
  current: CurrentPrice,
): TermsDifference[] {
  const differences: TermsDifference[] = []
  const differs = (here: string, there: string, why: string) => differences.push({ here, there, why })
  const { items } = terms
  if (items.length !== 1) differs('1 item', `${items.length} items`, 'its items were changed')
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
