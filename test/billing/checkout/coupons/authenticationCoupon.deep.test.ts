import { describe, expect, it } from '@jest/globals'
import { billingState, waiting } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyUnauthenticated } from '../buyUnauthenticated.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given an incomplete purchase that is sent again with a coupon', () => {
    it('answers coupon_invalid to a coupon that the open invoice does not have, and does not take the full price', async () => {
      const { stack } = bed
      const { organizationId } = await buyUnauthenticated(stack)
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      const { id, code } = await stack.newCoupon()
      const answer = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
      expect([answer.status, answer.outcomes]).toEqual([400, ['coupon_invalid']])
      expect(await billingState(stack, organizationId)).toEqual(waiting)
      expect(await stack.redemptions(id)).toEqual([])
    })

    it('answers the same secret to the coupon that it was bought with, in any case and by its id', async () => {
      const { stack } = bed
      const { id, code } = await stack.newCoupon({ max_redemptions: 1 })
      const { organizationId, secret } = await buyUnauthenticated(stack, 'pm_card_authenticationRequired', {
        coupon: code,
      })
      for (const coupon of [code, code.toLowerCase(), id]) {
        const answer = await stack.checkout(organizationId, ['base_ota'], { coupon })
        expect([answer.status, answer.lines[0]?.client?.client_secret]).toEqual([201, secret])
        expect(answer.lines[0]?.subscription?.coupon_code).toBe(code)
      }
      expect(await billingState(stack, organizationId)).toEqual(waiting)
    })
  })
})
