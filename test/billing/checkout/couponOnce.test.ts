import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { billingState, bought } from '../billingState.ts'
import { cleanAfterEach } from '../cleanAfterEach.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

const create = { method: 'POST', path: '/v1/subscriptions', kind: 'status' } as const
const states = async (couponId: string) => (await bed.stack.redemptions(couponId)).map(({ state }) => state)

/** How many subscriptions of an organization carry a discount at the gateway. */
async function discounted(organizationId: string): Promise<number> {
  return (await bed.stack.subscriptions(organizationId)).filter(({ discounts }) => discounts.length > 0).length
}

describe('POST /api/billing/checkout', () => {
  describe('Given a cart of several lines and a coupon', () => {
    it('applies the coupon to the first line of the cart, and sells no later one at full price', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      const answer = await stack.checkout(organizationId, ['addon_remote_ssh', 'base_ota', 'addon_monitoring'], {
        coupon: code,
      })
      expect(answer.status).toBe(201)
      expect(answer.outcomes).toEqual(['bought active', 'coupon_already_redeemed', 'coupon_already_redeemed'])
      expect(answer.lines[0]?.subscription?.coupon_code).toBe(code)
      expect(await billingState(stack, organizationId, 'addon_remote_ssh')).toEqual(bought)
      expect(await billingState(stack, organizationId, 'base_ota')).toEqual({
        slot: 'absent',
        subscriptions: [],
        charges: 1,
      })
      expect(await states(id)).toEqual(['APPLIED'])
    })

    it('applies a coupon for certain products to the first line that it is valid for', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { code } = await stack.newCoupon({ applies_to: { products: ['prod_monitoring', 'prod_remote_ssh'] } })
      const cart = ['base_ota', 'addon_monitoring', 'addon_crash_reporting', 'addon_remote_ssh']
      const answer = await stack.checkout(organizationId, cart, { coupon: code })
      expect(answer.status).toBe(201)
      expect(answer.outcomes).toEqual([
        'coupon_not_applicable',
        'bought active',
        'coupon_not_applicable',
        'coupon_already_redeemed',
      ])
      expect(answer.lines[1]?.subscription?.coupon_code).toBe(code)
      expect(await stack.charges(organizationId)).toBe(1)
      expect(await discounted(organizationId)).toBe(1)
    })

    it.each([
      ['is unknown', 'unknown_plan', ['no_such_plan', 'addon_monitoring']],
      ['is live', 'already_subscribed', ['base_ota', 'addon_monitoring']],
    ])('applies the coupon to the next line where the first one %s', async (_, error, cart) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.checkout(organizationId, ['base_ota'])
      const { code } = await stack.newCoupon()
      const answer = await stack.checkout(organizationId, cart, { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([201, [error, 'bought active']])
      expect(answer.lines[1]?.subscription?.coupon_code).toBe(code)
      expect(await discounted(organizationId)).toBe(1)
    })

    it('releases the coupon of a line that the gateway refuses, and applies it to the next line', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      await stack.emulator.fault({ ...create, status: 400 })
      const answer = await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'], { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([201, ['gateway_refused', 'bought active']])
      expect(answer.lines[1]?.subscription?.coupon_code).toBe(code)
      expect(await stack.redemptions(id)).toMatchObject([
        { state: 'APPLIED', product_code: `addon_monitoring:${organizationId}` },
      ])
      expect((await stack.slot(organizationId))?.state).toBe('none')
    })

    it('keeps the coupon reserved for a line whose outcome is unknown, until the same cart settles it', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
      await stack.emulator.fault({ ...create, status: 503, times: 2 })
      const cart = ['base_ota', 'addon_monitoring']
      const answer = await stack.checkout(organizationId, cart, { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([503, ['gateway_unavailable', 'coupon_already_redeemed']])
      expect(await states(id)).toEqual(['RESERVED'])

      const again = await stack.checkout(organizationId, cart, { coupon: code })
      expect([again.status, again.outcomes]).toEqual([201, ['bought active', 'coupon_already_redeemed']])
      expect(again.lines[0]?.subscription?.coupon_code).toBe(code)
      expect(await states(id)).toEqual(['APPLIED'])
      expect(await stack.charges(organizationId)).toBe(1)
    })
  })

  describe('Given a coupon that this user has redeemed', () => {
    // [threat 60]
    it('refuses it to this user on every product and in every organization, and to no other user', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const { organizationId: second } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
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
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
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
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon({ metadata: { code: 'public' } })
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
      const { organizationId } = await stack.organizationWithCard()
      const { id, code } = await stack.newCoupon()
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
