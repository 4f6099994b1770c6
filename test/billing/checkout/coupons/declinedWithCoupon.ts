import { expect } from '@jest/globals'
import type { BillingStack } from '../../../support/billingStack.ts'

/** An organization whose purchase of `base_ota`, with a coupon for one redemption in all, was declined; and a good card. */
export async function declinedWithCoupon(stack: BillingStack) {
  const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
  const card = await stack.addCard(organizationId, 'pm_card_visa')
  const { id, code } = await stack.newCoupon({ max_redemptions: 1 })
  const declined = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
  expect([declined.status, declined.outcomes]).toEqual([402, ['card_declined']])
  return { organizationId, card, id, code }
}
