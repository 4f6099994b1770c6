import type Stripe from 'stripe'
import type { Catalog } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { findCoupon } from './coupons.ts'
import { createPriceList } from './prices.ts'
import { readLimits } from './readLimits.ts'
import type { GatewayCall } from './wireCall.ts'

/** `Catalog` on Stripe's prices, coupons and promotion codes. */
export function createCatalog(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Catalog {
  return {
    prices: createPriceList(stripe, callGateway, clock),
    findCoupon: (code, limits) => findCoupon(stripe, callGateway, code, readLimits(clock, limits?.answerBy)),
  }
}
