import type Stripe from 'stripe'
import type { GatewayAnswer, RefusalReason } from '../../billing/gateway/gatewayAnswer.ts'
import type { Catalog, Coupon } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { idIn } from './idOf.ts'
import { createPriceList } from './prices.ts'
import { type GatewayCall, readLimits, type WireLimits } from './wireCall.ts'

/** `Catalog` on Stripe's prices, coupons and promotion codes. */
export function createCatalog(stripe: Stripe, callGateway: GatewayCall, clock: Clock): Catalog {
  return {
    prices: createPriceList(stripe, callGateway, clock),
    findCoupon: (code, limits) =>
      findTypedCoupon(stripe, callGateway, code, clock.now(), readLimits(clock, limits?.answerBy)),
  }
}

/**
 * Finds what a person typed: an active promotion code in any case, or else a coupon by its exact id. Only the endpoint
 * of coupons says which products a coupon is limited to.
 */
async function findTypedCoupon(
  stripe: Stripe,
  callGateway: GatewayCall,
  code: string,
  now: number,
  limits: WireLimits = {},
): Promise<GatewayAnswer<Coupon>> {
  const listed = await callGateway(
    () => stripe.promotionCodes.list({ code, limit: 100 }),
    ({ data }) => data,
    limits,
  )
  if (listed.kind !== 'ok') return listed
  const active = listed.value.filter((promotion) => promotion.active && !isOver(promotion, now))
  // A code for a single customer may have the same text as the code for everybody.
  const promotion = active.find(({ customer }) => customer === null) ?? active[0]
  const [past] = listed.value
  if (!promotion && listed.value.some((code) => isOver(code, now))) return refusal('coupon_expired')
  const typed = promotion ?? past
  const couponId = typed ? idIn(typed.promotion.coupon) : code
  if (couponId === null) return refusal('coupon_invalid')

  const coupon = await callGateway(
    () => stripe.coupons.retrieve(couponId, { expand: ['applies_to'] }),
    (object) => object,
    limits,
  )
  if (coupon.kind !== 'ok') {
    return coupon.kind === 'refused' && coupon.reason === 'not_found' ? refusal('coupon_invalid') : coupon
  }
  const { id, valid, metadata, applies_to, percent_off, amount_off, currency } = coupon.value
  if (!typed && metadata?.code !== 'public') {
    const codes = await callGateway(
      () => stripe.promotionCodes.list({ coupon: id, limit: 1 }),
      ({ data }) => data,
      limits,
    )
    if (codes.kind !== 'ok') return codes
    if (codes.value.length > 0) return refusal('coupon_invalid')
  }
  if (!valid) return refusal('coupon_expired')
  // Switched off by hand: Stripe shows a code as inactive as well if its coupon is not valid.
  if (past && !promotion) return refusal('coupon_invalid')
  return {
    kind: 'ok',
    replayed: false,
    value: {
      id,
      code: promotion?.code ?? id,
      promotionCodeId: promotion?.id ?? null,
      gatewayProductIds: applies_to?.products ?? null,
      currency: amount_off === null ? null : currency,
      mayCoverAll: percent_off === 100 || amount_off !== null,
    },
  }
}

function refusal(reason: RefusalReason): GatewayAnswer<never> {
  return { kind: 'refused', reason }
}

/** Whether a code is past its date, or all of its redemptions are used. */
function isOver({ expires_at, max_redemptions, times_redeemed }: Stripe.PromotionCode, now: number): boolean {
  return (
    (expires_at !== null && expires_at * 1000 <= now) || (max_redemptions !== null && times_redeemed >= max_redemptions)
  )
}
