import { expect } from '@jest/globals'
import type { BillingStack } from '../../support/billingStack.ts'

/** Buys, and holds the events from then on. */
export function boughtOn(bed: { readonly stack: BillingStack }) {
  async function bought() {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    await stack.emulator.flush()
    await stack.emulator.webhooks('hold')
    const [subscription] = await stack.subscriptions(organizationId)
    return { organizationId, card, subscriptionId: subscription?.id ?? '' }
  }

  return { bought }
}
