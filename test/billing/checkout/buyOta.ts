import { expect } from '@jest/globals'
import type { BillingStack } from '../../support/billingStack.ts'

export async function buy(stack: BillingStack) {
  const { organizationId } = await stack.organizationWithCard()
  expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  // Otherwise a late event could change what the test compares.
  await stack.emulator.flush()
  const [subscription] = await stack.subscriptions(organizationId)
  if (!subscription) throw new Error('A bought line has a subscription')
  return { organizationId, subscription }
}
