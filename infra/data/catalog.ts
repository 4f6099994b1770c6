import { productsOnSale } from './products.ts'

/** A product with the settings to create it at Stripe. */
export interface CatalogProduct {
  /** The id of the Stripe Product. */
  readonly id: string
  readonly product: keyof typeof productsOnSale
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

/** All products. The service reads prices from Stripe; use this data only when you set up an account. */
export const catalogProducts: readonly CatalogProduct[] = Object.keys(productsOnSale)
  .filter(isOnSale)
  .map((product) => {
    const { planCode, name, unitAmount } = productsOnSale[product]
    return { id: `prod_${product}`, product, planCode, name, unitAmount }
  })

/**
 * The product at a position of the catalog, counted from 1, for samples, the demo and benches.
 * @throws Error if the catalog is shorter
 */
export function productAt(position: number | 'last'): CatalogProduct {
  const found = catalogProducts.at(position === 'last' ? -1 : position - 1)
  if (found === undefined)
    throw new Error(`infra/data/products.ts has ${catalogProducts.length} products, and product ${position} is needed`)
  return found
}

/** Coupons for trials, all for the first month only. */
export const catalogCoupons: readonly CatalogCoupon[] = [
  { id: 'welcome-25', promotionCode: 'WELCOME25', name: 'Welcome: 25 % off', percentOff: 25 },
  { id: 'first-month-free', promotionCode: 'FIRSTMONTHFREE', name: 'First month free', percentOff: 100 },
  ...catalogProducts.slice(1, 2).map(halfPrice),
  { id: 'expired-10', promotionCode: 'EXPIRED10', name: 'Expired', percentOff: 10, expired: true },
  {
    id: 'single-use',
    promotionCode: 'SINGLEUSE',
    name: 'Used up after one redemption',
    percentOff: 10,
    maxRedemptions: 1,
  },
]

/** Half off one product: Stripe takes only letters and digits in a promotion code, and dashes. */
function halfPrice({ id, product, name }: CatalogProduct): CatalogCoupon {
  const word = product.replaceAll('_', '-')
  return {
    id: `${word}-half`,
    promotionCode: `${word.toUpperCase()}50`,
    name: `${name} at half price`,
    percentOff: 50,
    appliesTo: [id],
  }
}

function isOnSale(code: string): code is CatalogProduct['product'] {
  return Object.hasOwn(productsOnSale, code)
}
