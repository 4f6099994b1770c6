import type Stripe from 'stripe'
import { type CatalogProduct, currency } from '../data/catalog.ts'
import type { SetupStep } from './setupStep.ts'

/**
 * Makes the plan code lead to a price as the catalog has it. Stripe's prices do not change, so another amount is another price that takes
 * the lookup key over. The old one stays active without a key: subscriptions and purchases under way keep it.
 */
export async function setUpPrice(stripe: Stripe, row: CatalogProduct, done: 'made' | 'kept'): Promise<SetupStep> {
  const { id, name, planCode, unitAmount } = row
  const what = `price ${planCode}, ${(unitAmount / 100).toFixed(2)} ${currency} a month`
  const { data } = await stripe.prices.list({ lookup_keys: [planCode], active: true })
  if (data.some((price) => isAsCataloged(price, row))) return { done, what }
  await stripe.prices.create({
    product: id,
    currency,
    unit_amount: unitAmount,
    recurring: { interval: 'month' },
    lookup_key: planCode,
    nickname: name,
    transfer_lookup_key: true,
  })
  return { done: 'changed', what }
}

function isAsCataloged(price: Stripe.Price, { id, unitAmount }: CatalogProduct): boolean {
  const { product, recurring } = price
  return (
    (typeof product === 'string' ? product : product.id) === id &&
    price.unit_amount === unitAmount &&
    price.currency === currency &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  )
}
