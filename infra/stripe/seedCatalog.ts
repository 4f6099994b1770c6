import Stripe from 'stripe'
import { type CatalogCoupon, type CatalogProduct, catalogCoupons, catalogProducts } from '../data/catalog.ts'
import { currency } from '../data/products.ts'

/**
 * Puts products, prices, coupons and promotion codes into a Stripe account. Does not change what exists already, so you may
 * call it again, even from two stacks at once.
 * @param now the gateway's clock, unix seconds
 */
export async function seedCatalog(stripe: Stripe, now: number): Promise<void> {
  const [prices, coupons] = await Promise.all([
    stripe.prices.list({ lookup_keys: catalogProducts.map(({ planCode }) => planCode), active: true }),
    stripe.coupons.list({ limit: 100 }),
  ])
  const priced = new Set(prices.data.map((price) => price.lookup_key))
  const known = new Set(coupons.data.map(({ id }) => id))
  // Products first: a coupon may be limited to a product.
  await Promise.all(
    catalogProducts.filter(({ planCode }) => !priced.has(planCode)).map((row) => seedProduct(stripe, row)),
  )
  await Promise.all(catalogCoupons.filter(({ id }) => !known.has(id)).map((row) => seedCoupon(stripe, row, now)))
}

async function seedProduct(stripe: Stripe, row: CatalogProduct): Promise<void> {
  await unlessPresent(stripe.products.create({ id: row.id, name: row.name }))
  await unlessPresent(stripe.prices.create(priceOf(row)))
}

/** The parameters of a product's price. */
export function priceOf({ id, name, planCode, unitAmount }: CatalogProduct) {
  const recurring = { interval: 'month' } as const
  return { product: id, currency, unit_amount: unitAmount, recurring, lookup_key: planCode, nickname: name }
}

async function seedCoupon(stripe: Stripe, coupon: CatalogCoupon, now: number): Promise<void> {
  const { id, name, percentOff, appliesTo, maxRedemptions, expired, promotionCode } = coupon
  const created = await unlessPresent(
    stripe.coupons.create({
      id,
      name,
      percent_off: percentOff,
      duration: 'once',
      ...(appliesTo && { applies_to: { products: [...appliesTo] } }),
      ...(maxRedemptions !== undefined && { max_redemptions: maxRedemptions }),
      ...(expired && { redeem_by: now + 15 }),
    }),
  )
  if (!created) return
  const promotion = { type: 'coupon', coupon: id } as const
  // Stripe deactivates a code when its coupon expires, so create the code inactive if its coupon is about to expire.
  await unlessPresent(stripe.promotionCodes.create({ code: promotionCode, promotion, active: !expired }))
}

/** @returns true if it was created now, false if it existed already */
async function unlessPresent(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists')
      return false
    throw error
  }
}
