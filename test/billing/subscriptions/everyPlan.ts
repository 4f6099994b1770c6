import { expect } from '@jest/globals'
import { planCodes, products } from '../../../lib/billing/catalog.ts'
import type { BillingStack } from '../../support/billingStack.ts'

export const everyPlan = products.map((product) => planCodes[product])

/** An organization that has bought all that there is. */
export async function buyEveryPlan(stack: BillingStack): Promise<string> {
  const { organizationId, card } = await stack.organizationWithCard()
  const { outcomes } = await stack.checkout(organizationId, everyPlan, { card })
  expect(outcomes).toEqual(everyPlan.map(() => 'bought active'))
  await stack.emulator.flush()
  return organizationId
}
