import { describe, expect, it } from '@jest/globals'
import { billingState, nothingBought } from '../billingState.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given a payment_method_id', () => {
    it.each([
      'a card of another organization',
      'a card that was detached',
      'pm_card_visa',
      'pm_0000000000000000000000000',
      'nonsense',
    ])('answers payment_method_invalid for %s, though a good card is on file', async (given) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const other = await stack.organizationWithCard()
      const detached = await stack.addCard(organizationId, 'pm_card_mastercard')
      await stack.stripe.paymentMethods.detach(detached)
      const cards = new Map([
        ['a card of another organization', other.card],
        ['a card that was detached', detached],
      ])
      const answer = await stack.checkout(organizationId, ['base_ota'], { card: cards.get(given) ?? given })
      expect([answer.status, answer.outcomes]).toEqual([402, ['payment_method_invalid']])
      expect(await billingState(stack, organizationId)).toEqual(nothingBought)
      expect(await stack.charges(other.organizationId)).toBe(0)
    })
  })
})
