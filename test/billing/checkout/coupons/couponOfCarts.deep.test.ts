import { describe, expect, it } from '@jest/globals'
import { billingState, bought } from '../../billingState.ts'
import { useCoupons } from './useCoupons.ts'

const create = { method: 'POST', path: '/v1/subscriptions', kind: 'status' } as const

const { bed, buyerWithCoupon, states, discounted } = useCoupons()

describe('POST /api/billing/checkout', () => {
  describe('Given a cart of several lines and a coupon', () => {
    it('applies the coupon to the first line of the cart, and sells no later one at full price', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await buyerWithCoupon()
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
      const { organizationId, code } = await buyerWithCoupon({
        applies_to: { products: ['prod_monitoring', 'prod_remote_ssh'] },
      })
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
      const { organizationId, id, code } = await buyerWithCoupon()
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
      const { organizationId, id, code } = await buyerWithCoupon()
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
})
