import type Stripe from 'stripe'
import { useCleanStack } from '../../useCleanStack.ts'

/** A stack, and where a coupon is kept or applied. */
export function useCoupons() {
  const bed = useCleanStack()

  const states = async (couponId: string) => (await bed.stack.redemptions(couponId)).map(({ state }) => state)

  /** How many subscriptions of an organization carry a discount at the gateway. */
  async function discounted(organizationId: string): Promise<number> {
    return (await bed.stack.subscriptions(organizationId)).filter(({ discounts }) => discounts.length > 0).length
  }

  /** An organization with a card, and a coupon that was not used yet. */
  async function buyerWithCoupon(params: Stripe.CouponCreateParams = {}) {
    const { organizationId } = await bed.stack.organizationWithCard()
    return { organizationId, ...(await bed.stack.newCoupon(params)) }
  }

  return { bed, buyerWithCoupon, states, discounted }
}
