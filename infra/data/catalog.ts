import { type Product, planCodes } from '../../lib/billing/catalog.ts'

/** What one product costs. Amounts are in the smallest unit of `currency`, charged every month. */
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
  /** Stripe Product ids; every product where left out. */
  readonly appliesTo?: readonly string[]
  /** How many times in all it can be redeemed; without limit where left out. */
  readonly maxRedemptions?: number
  /** It ends as soon as it is there: Stripe takes no time in the past. */
  readonly expired?: true
}

export const currency = 'usd'

/** The whole price list. The service reads prices from Stripe; this data only sets an account up. */
export const catalogProducts = [
  { id: 'prod_ota', product: 'ota', name: 'Over-the-air updates', planCode: planCodes.ota, unitAmount: 4900 },
  {
    id: 'prod_monitoring',
    product: 'monitoring',
    name: 'Monitoring',
    planCode: planCodes.monitoring,
    unitAmount: 1900,
  },
  {
    id: 'prod_crash_reporting',
    product: 'crash_reporting',
    name: 'Crash reporting',
    planCode: planCodes.crash_reporting,
    unitAmount: 1500,
  },
  {
    id: 'prod_remote_ssh',
    product: 'remote_ssh',
    name: 'Remote SSH',
    planCode: planCodes.remote_ssh,
    unitAmount: 2900,
  },
] as const satisfies readonly CatalogProduct[]

/** Coupons to try things with, all for the first month only. */
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
