import { describe, expect, it } from '@jest/globals'
import { billingState, bought } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buy } from '../buyOta.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given a product that is live', () => {
    it('sells it again once it was canceled, under a new purchase number', async () => {
      const { stack } = bed
      const { organizationId } = await buy(stack)
      await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      expect(await billingState(stack, organizationId)).toEqual({
        slot: 'active',
        subscriptions: ['active', 'canceled'],
        charges: 2,
      })
      expect((await stack.slot(organizationId))?.n).toBe(2)
    })

    it('answers already_subscribed while its cancellation is only scheduled', async () => {
      const { stack } = bed
      const { organizationId } = await buy(stack)
      await stack.cancel(organizationId, { product: 'ota' })
      const answer = await stack.checkout(organizationId, ['base_ota'])
      expect([answer.status, answer.outcomes]).toEqual([409, ['already_subscribed']])
      expect(await billingState(stack, organizationId)).toEqual(bought)
    })

    it('sells other products to the organization, and the product to other organizations', async () => {
      const { stack } = bed
      const { organizationId } = await buy(stack)
      expect((await stack.checkout(organizationId, ['base_ota', 'addon_monitoring'])).outcomes).toEqual([
        'already_subscribed',
        'bought active',
      ])
      const other = await buy(stack)
      expect(await stack.charges(other.organizationId)).toBe(1)
      expect(await stack.charges(organizationId)).toBe(2)
    })
  })
})
