import { planCodes } from '../catalog.ts'
import type { Price } from '../gateway/gatewayPorts.ts'
import type { Slot } from '../slot/slot.ts'
import { type RefusedLine, refused } from './cartLine.ts'
import type { CheckoutRun } from './checkoutRun.ts'
import { appliesTo } from './coupon.ts'

/** What a new purchase of a slot's product is made at, or why the list of prices, the coupon or the details do not allow one. */
export function pricedLine(
  { prices, coupon, details }: Pick<CheckoutRun, 'prices' | 'coupon' | 'details'>,
  { product }: Pick<Slot, 'product'>,
): { price: Price } | RefusedLine {
  const code = planCodes[product]
  if (prices.kind === 'unknown') return refused(code, 'gateway_unavailable')
  const price = prices.kind === 'ok' ? prices.value.get(code) : undefined
  if (!price) return refused(code, 'gateway_refused')
  if (coupon.kind === 'refused') return refused(code, coupon.error)
  if (coupon.kind === 'found' && !appliesTo(coupon.coupon, price)) return refused(code, 'coupon_invalid')
  if (details === 'missing') return refused(code, 'billing_details_required')
  if (details === 'unknown') return refused(code, 'gateway_unavailable')
  return { price }
}
