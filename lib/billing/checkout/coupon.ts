import type { Catalog, Coupon, Price, ReadLimits } from '../gateway/gatewayPorts.ts'
import type { LineError } from './lineError.ts'

/** The coupon of a cart: none asked for, one to try, or why no line can have it. */
export type CartCoupon =
  | { kind: 'none' }
  | { kind: 'found'; coupon: Coupon }
  | { kind: 'refused'; error: Extract<LineError, 'coupon_invalid' | 'gateway_unavailable' | 'gateway_refused'> }

/** Looks a code up at the gateway. Whether this user redeemed it before is decided by the claim alone. */
export async function findCoupon(catalog: Catalog, code: string | undefined, limits?: ReadLimits): Promise<CartCoupon> {
  if (code === undefined) return { kind: 'none' }
  const answer = await catalog.findCoupon(code, limits)
  switch (answer.kind) {
    case 'ok':
      return { kind: 'found', coupon: answer.value }
    case 'refused':
      return { kind: 'refused', error: answer.reason === 'coupon_invalid' ? 'coupon_invalid' : 'gateway_refused' }
    case 'unknown':
      return { kind: 'refused', error: 'gateway_unavailable' }
  }
}

/** Whether the coupon takes anything off this price. */
export function appliesTo(coupon: Coupon, price: Price): boolean {
  return coupon.gatewayProductIds === null || coupon.gatewayProductIds.includes(price.gatewayProductId)
}
