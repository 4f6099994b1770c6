import type { BillingStack } from '../../support/billingStack.ts'

/** Where a coupon is kept or applied. */
export function couponsOn(bed: { readonly stack: BillingStack }) {
  const states = async (couponId: string) => (await bed.stack.redemptions(couponId)).map(({ state }) => state)

  /** How many subscriptions of an organization carry a discount at the gateway. */
  async function discounted(organizationId: string): Promise<number> {
    return (await bed.stack.subscriptions(organizationId)).filter(({ discounts }) => discounts.length > 0).length
  }

  return { states, discounted }
}
