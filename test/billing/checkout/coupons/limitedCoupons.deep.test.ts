import { describe, expect, it } from '@jest/globals'
import { billingState, bought, endedUnpaid, waiting } from '../../billingState.ts'
import { paidAmounts } from '../../gatewayView.ts'
import { reportsOf, runReconcile } from '../../reconcile/runReconcile.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'
import { declinedWithCoupon } from './declinedWithCoupon.ts'

const bed = useCleanStack()

describe('The daily pass, after a purchase with such a coupon ended unpaid', () => {
  const why =
    'it ended unpaid, and the gateway still counts its redemption of a limited coupon: give the customer another code'

  it.each([
    ['it was canceled', (id: string) => bed.stack.cancel(id, { product: 'ota' })],
    ['its 23 hours were over', () => bed.stack.emulator.advance(23 * 3600 + 1)],
  ])('reports organization and code for a week, because %s', async (_, end) => {
    const { stack } = bed
    const { organizationId, code } = await declinedWithCoupon(bed.stack)
    await stack.emulator.flush()
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([])
    await end(organizationId)
    await stack.emulator.flush()
    const reported = [`${why}: not redeemed -> coupon ${code}, 1 of 1 redeemed`]
    expect(reportsOf(await runReconcile(), organizationId)).toEqual(reported)
    await stack.emulator.advance(6 * 86_400)
    expect(reportsOf(await runReconcile({ dryRun: true }), organizationId)).toEqual(reported)
    await stack.emulator.advance(2 * 86_400)
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([])
  })

  it('reports a limited promotion code of a coupon without a limit, and no code without one', async () => {
    const { stack } = bed
    const { id: coupon } = await stack.newCoupon()
    const [limited, open] = [`ONCE${Date.now()}`, `OFTEN${Date.now()}`]
    const promotion = { type: 'coupon', coupon } as const
    await stack.stripe.promotionCodes.create({ promotion, code: limited, max_redemptions: 2 })
    await stack.stripe.promotionCodes.create({ promotion, code: open })
    const endedWith = async (code: string) => {
      const { organizationId } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
      await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      await stack.cancel(organizationId, { product: 'ota' })
      return organizationId
    }
    const [first, second] = [await endedWith(limited), await endedWith(open)]
    const reconciliation = await runReconcile()
    expect(reportsOf(reconciliation, first)).toEqual([`${why}: not redeemed -> coupon ${limited}, 1 of 2 redeemed`])
    expect(reportsOf(reconciliation, second)).toEqual([])
  })
})

describe('POST /api/billing/checkout', () => {
  describe('Given a declined purchase with a coupon that can be redeemed once in all', () => {
    it('keeps its invoice open, and says what the buyer has to do', async () => {
      const { stack } = bed
      const { organizationId, id, code } = await declinedWithCoupon(bed.stack)
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
        const { organizationId, card, id, code } = await declinedWithCoupon(bed.stack)
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
        expect(await paidAmounts(stack, organizationId)).toEqual([3675])
        expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      },
    )

    it('answers card_declined again to another declined card, and keeps the coupon', async () => {
      const { stack } = bed
      const { organizationId, card, code } = await declinedWithCoupon(bed.stack)
      const again = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([again.status, again.outcomes]).toEqual([402, ['card_declined']])
      expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code, card })).outcomes).toEqual([
        'bought active',
      ])
      expect(await paidAmounts(stack, organizationId)).toEqual([3675])
    })

    it('ends with a cancellation, which frees the slot and gives the coupon back', async () => {
      const { stack } = bed
      const { organizationId, card, id, code } = await declinedWithCoupon(bed.stack)
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
      expect(await paidAmounts(stack, organizationId)).toEqual([3675])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
    })
  })
})
