import { isRecord } from '../wire/wire.ts'
import type { StripeCore } from './stripeCore.ts'

/** The catalog of an emulator. Products and coupons are known by their ids, prices by lookup key, promotion codes by code. */
export interface Catalog {
  products: {
    id: string
    name: string
    price: { lookup_key: string; unit_amount: number; currency: string; interval: 'day' | 'week' | 'month' | 'year' }
  }[]
  coupons?: ({ id: string } & Record<string, unknown>)[]
  promotionCodes?: { code: string; coupon: string }[]
}

function must(answer: { status: number; body: unknown }): unknown {
  if (answer.status !== 200) throw new Error(`seeding failed: ${JSON.stringify(answer.body)}`)
  return answer.body
}

function isEmptyList(answer: { status: number; body: unknown }): boolean {
  const body = must(answer)
  return isRecord(body) && Array.isArray(body.data) && body.data.length === 0
}

/** Adds the missing parts of a catalog and changes nothing else, so it can be called repeatedly. Throws when the emulator refuses a part. */
export function fillCatalog(
  core: Pick<StripeCore, 'call'>,
  { products, coupons = [], promotionCodes = [] }: Catalog,
): void {
  for (const { id, name, price } of products) {
    if (core.call('GET', `/v1/products/${id}`).status === 404) must(core.call('POST', '/v1/products', { id, name }))
    const { interval, ...terms } = price
    if (isEmptyList(core.call('GET', '/v1/prices', { lookup_keys: [price.lookup_key] }))) {
      must(core.call('POST', '/v1/prices', { ...terms, product: id, recurring: { interval } }))
    }
  }
  for (const coupon of coupons) {
    if (core.call('GET', `/v1/coupons/${coupon.id}`).status === 404) must(core.call('POST', '/v1/coupons', coupon))
  }
  for (const { code, coupon } of promotionCodes) {
    if (!isEmptyList(core.call('GET', '/v1/promotion_codes', { code }))) continue
    must(core.call('POST', '/v1/promotion_codes', { code, promotion: { type: 'coupon', coupon } }))
  }
}
