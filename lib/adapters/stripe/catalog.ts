import type Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Catalog, Coupon } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { idIn } from './idOf.ts'
import { createPriceList } from './prices.ts'
import { type GatewayCall, readLimits, type WireLimits } from './wireCall.ts'

/** `Catalog` on Stripe's prices, coupons and promotion codes. */
export function createCatalog(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Catalog {
  return {
    prices: createPriceList(stripe, callGateway, clock),
    findCoupon: (code, limits) => findTypedCoupon(stripe, callGateway, code, readLimits(clock, limits?.answerBy)),
  }
}

const INVALID: GatewayAnswer<never> = { kind: 'refused', reason: 'coupon_invalid' }

/**
 * Finds what a person typed: an active promotion code in any case, or else a coupon by its exact id. Only the endpoint
 * of coupons says which products a coupon is limited to.
 */
async function findTypedCoupon(
  stripe: Stripe,
  callGateway: GatewayCall,
  code: string,
  limits: WireLimits = {},
): Promise<GatewayAnswer<Coupon>> {
  const promotion = await callGateway(
    () => stripe.promotionCodes.list({ code, active: true, limit: 100 }),
    // A code for a single customer may have the same text as the code for everybody.
    ({ data }) => data.find(({ customer }) => customer === null) ?? data[0],
    limits,
  )
  if (promotion.kind !== 'ok') return promotion
  const couponId = promotion.value ? idIn(promotion.value.promotion.coupon) : code
  if (couponId === null) return INVALID

  const coupon = await callGateway(
    () => stripe.coupons.retrieve(couponId, { expand: ['applies_to'] }),
    (object) => object,
    limits,
  )
  if (coupon.kind !== 'ok') return coupon.kind === 'refused' && coupon.reason === 'not_found' ? INVALID : coupon
  if (!coupon.value.valid) return INVALID
  return {
    kind: 'ok',
    replayed: false,
    value: {
      id: coupon.value.id,
      code: promotion.value?.code ?? coupon.value.id,
      promotionCodeId: promotion.value?.id ?? null,
      gatewayProductIds: coupon.value.applies_to?.products ?? null,
      mayCoverAll: coupon.value.percent_off === 100 || coupon.value.amount_off !== null,
    },
  }
}
