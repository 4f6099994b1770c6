import { describe, expect, it } from '@jest/globals'
import { billingState } from '../../billingState.ts'
import { useCoupons } from './useCoupons.ts'

const { bed, buyerWithCoupon, states, discounted } = useCoupons()

describe('POST /api/billing/checkout', () => {
  describe('Given a coupon that this user has redeemed', () => {
    // [threat 60]
    it('refuses it to this user on every product and in every organization, and to no other user', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await buyerWithCoupon()
      const { organizationId: second } = await stack.organizationWithCard()
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code })).outcomes).toEqual(['bought active'])

      for (const [place, plan] of [
        [organizationId, 'addon_monitoring'],
        [second, 'base_ota'],
      ] as const) {
        const answer = await stack.checkout(place, [plan], { coupon: code })
        expect([answer.status, answer.outcomes, answer.retryAfter]).toEqual([409, ['coupon_already_redeemed'], null])
        expect(await billingState(stack, place, plan)).toMatchObject({ slot: 'absent', subscriptions: [] })
      }
      const theirs = await stack.checkout(organizationId, ['addon_monitoring'], { coupon: code, as: 'billing_admin' })
      expect(theirs.outcomes).toEqual(['bought active'])
      expect(await states(id)).toEqual(['APPLIED', 'APPLIED'])
      expect(await discounted(organizationId)).toBe(2)
    })

    it('answers the same cart sent again with already_subscribed, and changes nothing', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await buyerWithCoupon()
      const cart = ['base_ota', 'addon_monitoring']
      await stack.checkout(organizationId, cart, { coupon: code })
      const redemptions = await stack.redemptions(id)
      const again = await stack.checkout(organizationId, cart, { coupon: code })
      expect([again.status, again.outcomes]).toEqual([409, ['already_subscribed', 'coupon_already_redeemed']])
      expect(await stack.redemptions(id)).toEqual(redemptions)
      expect(await stack.charges(organizationId)).toBe(1)
    })

    it('refuses it under its other promotion codes and under its public id too', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await buyerWithCoupon({ metadata: { code: 'public' } })
      const otherCode = `OTHER-${code}`
      await stack.stripe.promotionCodes.create({ code: otherCode, promotion: { type: 'coupon', coupon: id } })
      await stack.checkout(organizationId, ['base_ota'], { coupon: otherCode })
      for (const coupon of [code, id, otherCode.toLowerCase()]) {
        const answer = await stack.checkout(organizationId, ['addon_monitoring'], { coupon })
        expect([answer.status, answer.outcomes]).toEqual([409, ['coupon_already_redeemed']])
      }
      expect(await discounted(organizationId)).toBe(1)
    })

    it('refuses it also after the subscription was canceled', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await buyerWithCoupon()
      await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect((await stack.cancel(organizationId, { product: 'ota', at_period_end: false })).status).toBe(200)
      await stack.emulator.flush()
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([409, ['coupon_already_redeemed']])
      expect(await states(id)).toEqual(['APPLIED'])
      const without = await stack.checkout(organizationId, ['base_ota'])
      expect(without.lines[0]?.subscription).toMatchObject({ status: 'active', coupon_code: null })
    })
  })
})
