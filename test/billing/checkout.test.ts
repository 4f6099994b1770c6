import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../support/billingStack.ts'

const bed = useBillingStack()

describe('POST /api/billing/checkout', () => {
  describe('Given an organization with a card', () => {
    it('buys one good line beside an unknown one and answers 201', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const answer = await stack.checkout(organizationId, ['base_ota', 'no_such_plan'], { card })
      expect(answer.body).toEqual([])
    })
  })
})
