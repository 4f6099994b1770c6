import { type Product, planCodes, products } from '../../lib/billing/catalog.ts'

/** The name of every product and its monthly price, in the smallest unit of `currency`. */
const priceList: Readonly<Record<Product, { readonly name: string; readonly unitAmount: number }>> = {
  ota: { name: 'Over-the-air updates', unitAmount: 4900 },
  monitoring: { name: 'Monitoring', unitAmount: 1900 },
  crash_reporting: { name: 'Crash reporting', unitAmount: 1500 },
  remote_ssh: { name: 'Remote SSH', unitAmount: 2900 },
}

/** A product with the settings to create it at Stripe. */
export interface CatalogProduct {
  /** The id of the Stripe Product. */
  readonly id: string
  readonly product: Product
  readonly name: string
  /** The lookup key of the Stripe Price. */
  readonly planCode: string
  readonly unitAmount: number
}

/** A Stripe coupon and the promotion code that customers type for it. */
export interface CatalogCoupon {
  readonly id: string
  readonly promotionCode: string
  readonly name: string
  readonly percentOff: number
  /** Stripe Product ids; all products if left out. */
  readonly appliesTo?: readonly string[]
  /** The maximum number of redemptions in all; no limit if left out. */
  readonly maxRedemptions?: number
  /** Expires as soon as it is created, because Stripe accepts no time in the past. */
  readonly expired?: true
}

export const currency = 'usd'

/** All products. The service reads prices from Stripe; use this data only when you set up an account. */
export const catalogProducts: readonly CatalogProduct[] = products.map((product) => ({
  id: `prod_${product}`,
  product,
  planCode: planCodes[product],
  ...priceList[product],
}))

/** Coupons for trials, all for the first month only. */
export const catalogCoupons: readonly CatalogCoupon[] = [
  { id: 'welcome-25', promotionCode: 'WELCOME25', name: 'Welcome: 25 % off', percentOff: 25 },
  { id: 'first-month-free', promotionCode: 'FIRSTMONTHFREE', name: 'First month free', percentOff: 100 },
  {
    id: 'monitoring-half',
    promotionCode: 'MONITORING50',
    name: 'Monitoring at half price',
    percentOff: 50,
    appliesTo: ['prod_monitoring'],
  },
  { id: 'expired-10', promotionCode: 'EXPIRED10', name: 'Expired', percentOff: 10, expired: true },
  {
    id: 'single-use',
    promotionCode: 'SINGLEUSE',
    name: 'Used up after one redemption',
    percentOff: 10,
    maxRedemptions: 1,
  },
]
