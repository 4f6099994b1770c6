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

/** Buys what another request left pending: it holds its slot for 45 s. */
export async function buyAfterLease(stack: BillingStack, organizationId: string, card: string): Promise<void> {
  const early = await stack.checkout(organizationId, ['base_ota'], { card })
  expect(early).toMatchObject({ status: 409, outcomes: ['checkout_in_progress'] })
  await stack.emulator.advance(46)
  expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
}
