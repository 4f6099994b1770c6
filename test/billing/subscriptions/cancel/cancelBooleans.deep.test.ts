import { describe, expect, it } from '@jest/globals'
import { products } from '../../../../lib/billing/catalog.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyEveryPlan } from '../everyPlan.ts'

const bed = useCleanStack()

describe('POST /api/billing/cancel', () => {
  describe('Given all products', () => {
    it.each([
      ['cancellation_scheduled', ['true', 'ON', 1, 'y']],
      ['cancellation_scheduled', ['1', 't', 'Yes', 1.0]],
      ['canceled', ['false', 'off', 0, 'N']],
      ['canceled', ['0', 'F', 'no', -0]],
    ])('accepts the booleans that FastAPI accepts: %s for %j', async (status, values) => {
      const organizationId = await buyEveryPlan(bed.stack)
      const answers = []
      for (const [index, product] of products.slice(0, values.length).entries()) {
        answers.push(await bed.stack.cancel(organizationId, { product, at_period_end: values[index] }))
      }
      expect(answers).toEqual(Array(4).fill({ status: 200, body: { status, effective_at: expect.any(String) } }))
      const ended = (await bed.stack.subscriptions(organizationId)).filter((one) => one.status === 'canceled')
      expect(ended).toHaveLength(status === 'canceled' ? 4 : 0)
    })
  })
})
