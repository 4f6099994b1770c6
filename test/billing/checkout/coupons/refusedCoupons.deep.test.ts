import { describe, expect, it } from '@jest/globals'
import { redeemerDigest } from '../../../../lib/billing/slot/redeemer.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given a coupon that cannot be redeemed', () => {
    const refusals: Record<string, string> = {
      expired: 'coupon_expired',
      'used up by another user': 'coupon_expired',
      'of another customer only': 'coupon_not_applicable',
      'for another product only': 'coupon_not_applicable',
      'in another currency': 'coupon_not_applicable',
      'below its minimum': 'coupon_not_applicable',
      'past the date of its code': 'coupon_expired',
    }
    /** Each returns the coupon, and the code that the buyer types. */
    const arrangements: Record<string, () => Promise<{ id: string; code: string }>> = {
      unknown: async () => ({ id: 'no-such-coupon', code: 'no-such-coupon' }),
      expired: async () => {
        const coupon = await bed.stack.newCoupon({ redeem_by: (await bed.stack.emulator.now()) + 60 })
        await bed.stack.emulator.advance(61)
        return coupon
      },
      'used up by another user': async () => {
        const coupon = await bed.stack.newCoupon({ max_redemptions: 1 })
        const { organizationId } = await bed.stack.organizationWithCard()
        const theirs = await bed.stack.checkout(organizationId, ['base_ota'], {
          coupon: coupon.code,
          as: 'billing_admin',
        })
        expect(theirs.outcomes).toEqual(['bought active'])
        return coupon
      },
      'switched off': async () => {
        const coupon = await bed.stack.newCoupon()
        const { data } = await bed.stack.stripe.promotionCodes.list({ code: coupon.code })
        await bed.stack.stripe.promotionCodes.update(data[0]?.id ?? '', { active: false })
        return coupon
      },
      'of another customer only': async () => {
        const { id } = await bed.stack.newCoupon()
        const { id: customer } = await bed.stack.stripe.customers.create()
        const code = `THEIRS-${id}`
        await bed.stack.stripe.promotionCodes.create({ code, customer, promotion: { type: 'coupon', coupon: id } })
        return { id, code }
      },
      'in another currency': async () => {
        const id = `euros-${Date.now()}`
        await bed.stack.stripe.coupons.create({ id, amount_off: 500, currency: 'eur', duration: 'once' })
        return { id, code: id }
      },
      'below its minimum': async () => {
        const { id } = await bed.stack.newCoupon()
        const restrictions = { minimum_amount: 100_000, minimum_amount_currency: 'usd' }
        const code = `HIGH-${id}`.toUpperCase()
        await bed.stack.stripe.promotionCodes.create({ code, restrictions, promotion: { type: 'coupon', coupon: id } })
        return { id, code }
      },
      'past the date of its code': async () => {
        const { id } = await bed.stack.newCoupon()
        const code = `LATE-${id}`.toUpperCase()
        const expires_at = (await bed.stack.emulator.now()) + 60
        await bed.stack.stripe.promotionCodes.create({ code, expires_at, promotion: { type: 'coupon', coupon: id } })
        await bed.stack.emulator.advance(61)
        return { id, code }
      },
      'for another product only': () => bed.stack.newCoupon({ applies_to: { products: ['prod_monitoring'] } }),
    }

    it.each(Object.entries(arrangements))(
      'is refused where it is %s, sells nothing at full price, and keeps no redemption',
      async (reason, arrange) => {
        const { stack } = bed
        const { id, code } = await arrange()
        const { organizationId } = await stack.organizationWithCard()
        await stack.emulator.clearRequests()
        const answer = await stack.checkout(organizationId, ['base_ota', 'addon_remote_ssh'], { coupon: code })
        const error = refusals[reason] ?? 'coupon_invalid'
        expect([answer.status, answer.outcomes]).toEqual([400, [error, error]])
        const sent = (await stack.emulator.requests()).filter(({ method }) => method === 'POST')
        // Only the gateway knows whose code it is, and refuses it only with the subscription.
        const knowsGatewayOnly = ['of another customer only', 'below its minimum'].includes(reason)
        expect(sent).toHaveLength(knowsGatewayOnly ? 2 : 0)
        expect(await stack.subscriptions(organizationId)).toEqual([])
        expect([undefined, 'none']).toContain((await stack.slot(organizationId))?.state)
        const { owner } = stack.client.info.demo
        expect((await stack.redemptions(id)).filter(({ redeemer }) => redeemer === redeemerDigest(owner.id))).toEqual(
          [],
        )
        expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      },
    )
  })
})
