import { describe, expect, it } from '@jest/globals'
import { billingState, endedUnpaid, nothingBought, waiting } from '../../billingState.ts'
import { paidAmounts } from '../../gatewayView.ts'
import { whileArchived } from '../../listPrices.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'

const bed = useCleanStack()

/** Buys two products with a coupon and a card of this kind. */
async function buyTwo(testCard: string) {
  const { organizationId } = await bed.stack.organizationWithCard(testCard)
  const { id, code } = await bed.stack.newCoupon()
  const cart = ['base_ota', 'addon_monitoring']
  const answer = await bed.stack.checkout(organizationId, cart, { coupon: code })
  return { organizationId, id, code, cart, answer }
}

describe('POST /api/billing/checkout', () => {
  describe('Given a purchase with a coupon that waits for authentication', () => {
    it('answers the same cart with the same purchase and coupon, and applies the coupon to no other line', async () => {
      const { stack } = bed
      const { organizationId, id, code, cart, answer: first } = await buyTwo('pm_card_authenticationRequired')
      expect([first.status, first.outcomes]).toEqual([201, ['bought incomplete', 'coupon_already_redeemed']])
      expect(first.lines[0]?.subscription?.coupon_code).toBe(code)
      const again = await stack.checkout(organizationId, cart, { coupon: code })
      expect([again.status, again.body]).toEqual([201, first.body])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED', n: 1 }])
      expect(await stack.subscriptions(organizationId)).toHaveLength(1)
    })
  })

  describe('Given a purchase with a coupon that is refused', () => {
    it('keeps the coupon with the line that was declined, and releases it with that for another line', async () => {
      const { stack } = bed
      const { organizationId, id, code, answer: declined } = await buyTwo('pm_card_chargeCustomerFail')
      expect([declined.status, declined.outcomes]).toEqual([402, ['card_declined', 'coupon_already_redeemed']])
      expect(await stack.redemptions(id)).toMatchObject([
        { state: 'APPLIED', product_code: `base_ota:${organizationId}` },
      ])
      expect(await billingState(stack, organizationId)).toEqual(waiting)

      await stack.emulator.flush()
      await stack.cancel(organizationId, { product: 'ota' })
      expect(await stack.redemptions(id)).toEqual([])
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      const answer = await stack.checkout(organizationId, ['addon_monitoring'], { coupon: code, card })
      expect(answer.outcomes).toEqual(['bought active'])
      expect(await stack.redemptions(id)).toMatchObject([
        { state: 'APPLIED', product_code: `addon_monitoring:${organizationId}` },
      ])
    })

    it('releases the coupon where no card is on file', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      await stack.post('/api/billing/card-gateway/setup-intent', organizationId)
      const { id, code } = await stack.newCoupon()
      const answer = await stack.checkout(organizationId, ['base_ota'], { coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([402, ['payment_method_required']])
      expect(await stack.redemptions(id)).toEqual([])
      expect(await billingState(stack, organizationId)).toEqual(nothingBought)
    })

    it.each(['expires', 'is canceled'])(
      'releases the coupon of a purchase that waited for authentication and %s unpaid',
      async (end) => {
        const { stack } = bed
        const { organizationId } = await stack.organizationWithCard('pm_card_authenticationRequired')
        const { id, code } = await stack.newCoupon()
        expect((await stack.checkout(organizationId, ['base_ota'], { coupon: code })).outcomes).toEqual([
          'bought incomplete',
        ])
        if (end === 'expires') await stack.emulator.advance(23 * 3600 + 1)
        else await stack.cancel(organizationId, { product: 'ota' })
        await stack.emulator.flush()
        expect(await billingState(stack, organizationId)).toEqual(endedUnpaid)
        expect(await stack.redemptions(id)).toEqual([])
      },
    )
  })

  describe('Given a purchase with a coupon that came to nothing', () => {
    type Buy = () => Promise<{ organizationId: string; outcomes: string[] }>
    const buyWith = async (testCard: string, coupon: string) => {
      const { organizationId } = await bed.stack.organizationWithCard(testCard)
      const { outcomes } = await bed.stack.checkout(organizationId, ['base_ota'], { coupon })
      return { organizationId, outcomes }
    }
    const authenticated = async (coupon: string, how: 'fail' | 'given up') => {
      const { organizationId, intentId, answer } = await buyUnauthenticated(bed.stack, undefined, { coupon })
      if (how === 'fail') await bed.stack.emulator.authenticate(intentId, 'fail')
      return { organizationId, outcomes: answer.outcomes }
    }

    it.each<[string, string, (coupon: string) => ReturnType<Buy>]>([
      ['was declined', 'card_declined', (coupon) => buyWith('pm_card_chargeCustomerFail', coupon)],
      ['failed its 3-D Secure', 'bought incomplete', (coupon) => authenticated(coupon, 'fail')],
      ['was given up in 3-D Secure', 'bought incomplete', (coupon) => authenticated(coupon, 'given up')],
      [
        'expired',
        'card_declined',
        async (coupon) => {
          const bought = await buyWith('pm_card_chargeCustomerFail', coupon)
          await bed.stack.emulator.advance(23 * 3600 + 1)
          await bed.stack.emulator.flush()
          return bought
        },
      ],
      [
        'was canceled',
        'card_declined',
        async (coupon) => {
          const bought = await buyWith('pm_card_chargeCustomerFail', coupon)
          await bed.stack.cancel(bought.organizationId, { product: 'ota' })
          return bought
        },
      ],
      [
        'met a price that was not sold any more',
        'not_for_sale',
        async (coupon) => {
          const { organizationId } = await bed.stack.organizationWithCard('pm_card_chargeCustomerFail')
          // The list of prices is known from here on.
          await bed.stack.checkout(organizationId, ['addon_monitoring'])
          const { outcomes } = await whileArchived(bed.stack, 'base_ota', () =>
            bed.stack.checkout(organizationId, ['base_ota'], { coupon }),
          )
          return { organizationId, outcomes }
        },
      ],
      [
        'was lost on its way, and its key forgotten',
        'gateway_unavailable',
        async (coupon) => {
          await bed.stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
          const bought = await buyWith('pm_card_chargeCustomerFail', coupon)
          await bed.stack.emulator.advance(25 * 3600)
          return bought
        },
      ],
    ])('sells at the discount to a buyer whose purchase %s', async (_, outcome, buy) => {
      const { stack } = bed
      const { id, code } = await stack.newCoupon()
      const { organizationId, outcomes } = await buy(code)
      expect(outcomes).toEqual([outcome])
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      const later = await stack.checkout(organizationId, ['base_ota'], { coupon: code, card })
      expect(later.outcomes).toEqual(['bought active'])
      expect(await paidAmounts(stack, organizationId)).toEqual([3675])
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED' }])
    })
  })
})
