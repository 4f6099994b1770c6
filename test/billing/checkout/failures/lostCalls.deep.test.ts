import { describe, expect, it } from '@jest/globals'
import { BOTH_ATTEMPTS } from '../../../support/emulator.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'

const bed = useCleanStack()

/** The calls of a first purchase with a coupon and a card that needs 3-D Secure, in their order. */
const calls = [
  ['the price list', 'GET', '/v1/prices'],
  ['the promotion code', 'GET', '/v1/promotion_codes'],
  ['the coupon', 'GET', '/v1/coupons/*'],
  ['the subscription', 'POST', '/v1/subscriptions'],
  ['its payment', 'GET', '/v1/payment_intents/*'],
] as const

describe('POST /api/billing/checkout', () => {
  describe.each(['drop_before', 'drop_after'] as const)('Given a call to Stripe that is lost (%s)', (kind) => {
    it.each(calls)(
      'makes one subscription where %s gets no answer and the cart is sent again',
      async (_, method, path) => {
        const { stack } = bed
        const { organizationId, card } = await stack.organizationWithCard('pm_card_authenticationRequired')
        const { id, code } = await stack.newCoupon()
        await stack.emulator.webhooks('hold')
        // Prices are cached for five minutes.
        await stack.emulator.advance(301)
        await stack.emulator.fault({ method, path, kind, times: BOTH_ATTEMPTS })
        const lost = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
        expect(lost).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
        await stack.emulator.clearFaults()

        const repeated = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
        expect(repeated).toMatchObject({ status: 201, outcomes: ['bought incomplete'] })
        expect(repeated.lines[0]?.client?.action).toBe('confirm_payment')
        expect(await stack.subscriptions(organizationId)).toHaveLength(1)
        expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      },
    )

    it.each([
      ['the payment of the open invoice', 'POST', '/v1/invoices/*'],
      ['the fetch of the subscription', 'GET', '/v1/subscriptions/*'],
      ['the fetch of its payment', 'GET', '/v1/payment_intents/*'],
    ])('charges an incomplete purchase once where %s gets no answer and it is sent again', async (_, method, path) => {
      const { stack } = bed
      const { organizationId } = await buyUnauthenticated(stack)
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      await stack.emulator.webhooks('hold')
      await stack.emulator.fault({ method, path, kind, times: BOTH_ATTEMPTS })
      const lost = await stack.checkout(organizationId, ['base_ota'], { card })
      expect(['gateway_unavailable', 'bought active']).toContain(lost.outcomes[0])
      await stack.emulator.clearFaults()

      const repeated = await stack.checkout(organizationId, ['base_ota'], { card })
      expect(['bought active', 'already_subscribed']).toContain(repeated.outcomes[0])
      expect(await stack.subscriptions(organizationId)).toMatchObject([{ status: 'active' }])
      expect(await stack.charges(organizationId)).toBe(1)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
    })
  })
})
