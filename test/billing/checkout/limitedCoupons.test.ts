import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { billingState, bought, endedUnpaid, waiting } from '../billingState.ts'
import { cleanAfterEach } from '../cleanAfterEach.ts'
import { buyUnauthenticated } from './buyUnauthenticated.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

/** An organization whose purchase of `base_ota`, with a coupon for one redemption in all, was declined; and a good card. */
async function declinedWithCoupon() {
  const { stack } = bed
  const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
  const card = await stack.addCard(organizationId, 'pm_card_visa')
  const { id, code } = await stack.newCoupon({ max_redemptions: 1 })
  const declined = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
  expect([declined.status, declined.outcomes]).toEqual([402, ['card_declined']])
  return { organizationId, card, id, code }
}

/** What the organization's one invoice was paid with, in cents: 4900 less 25 %. */
async function paidAmounts(organizationId: string): Promise<number[]> {
  const { stack } = bed
  const ids = (await stack.subscriptions(organizationId)).map(({ latest_invoice }) => String(latest_invoice))
  const invoices = await Promise.all(ids.map((id) => stack.stripe.invoices.retrieve(id)))
  return invoices.map(({ amount_paid }) => amount_paid)
}

describe('POST /api/billing/checkout', () => {
  describe('Given a declined purchase with a coupon that can be redeemed once in all', () => {
    it('keeps its invoice open, and says what the buyer has to do', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await declinedWithCoupon()
      await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual(waiting)
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      expect(await stack.get('subscriptions', organizationId)).toMatchObject({
        body: { subscriptions: [{ status: 'incomplete', action: 'update_payment_method', coupon_code: code }] },
      })
    })

    it.each(['names it', 'names it in lower case', 'names none', 'is another user’s'])(
      'pays the discounted invoice with the card of the next request that %s',
      async (next) => {
        const { stack } = bed
        const { organizationId, card, id, code } = await declinedWithCoupon()
        const named = { 'names it': code, 'names it in lower case': code.toLowerCase() }[next]
        const as = next === 'is another user’s' ? ('billing_admin' as const) : undefined
        const preview = await stack.post('/api/billing/checkout/preview', organizationId, {
          product_codes: ['base_ota'],
          ...(named && { coupon_code: named }),
        })
        expect(preview).toMatchObject({ status: 200, body: { subtotal: 4900, total: 3675 } })
        const answer = await stack.checkout(organizationId, ['base_ota'], {
          card,
          ...(named && { coupon: named }),
          ...(as && { as }),
        })
        expect([answer.status, answer.outcomes]).toEqual([201, ['bought active']])
        expect(answer.lines[0]?.subscription?.coupon_code).toBe(code)
        expect(await billingState(stack, organizationId)).toEqual(bought)
        expect(await paidAmounts(organizationId)).toEqual([3675])
        expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      },
    )

    it('answers card_declined again to another declined card, and keeps the coupon', async () => {
      const { stack } = bed
      const { organizationId, card, code } = await declinedWithCoupon()
      const again = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([again.status, again.outcomes]).toEqual([402, ['card_declined']])
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code, card })).outcomes).toEqual([
        'bought active',
      ])
      expect(await paidAmounts(organizationId)).toEqual([3675])
    })

    it('ends with a cancellation, which frees the slot and gives the coupon back', async () => {
      const { stack } = bed
      const { organizationId, card, id, code } = await declinedWithCoupon()
      await stack.emulator.flush()
      expect(await stack.cancel(organizationId, { product: 'ota' })).toMatchObject({
        status: 200,
        body: { status: 'canceled' },
      })
      expect(await billingState(stack, organizationId)).toEqual(endedUnpaid)
      expect(await stack.redemptions(id)).toEqual([])
      // The gateway does not count a redemption back.
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code, card })).outcomes).toEqual([
        'coupon_expired',
      ])
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    })
  })

  describe('Given a purchase with such a coupon whose authentication failed or was given up', () => {
    it.each(['failed', 'given up'])('pays the discounted invoice with another card: %s', async (end) => {
      const { stack } = bed
      const { id, code } = await stack.newCoupon({ max_redemptions: 1 })
      const { organizationId, intentId } = await buyUnauthenticated(stack, 'pm_card_authenticationRequired', {
        coupon: code,
      })
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      if (end === 'failed') await stack.emulator.authenticate(intentId, 'fail')
      const answer = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
      expect(answer.outcomes).toEqual(['bought active'])
      expect(await paidAmounts(organizationId)).toEqual([3675])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
    })
  })
})
