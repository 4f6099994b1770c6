import { describe, expect, it } from '@jest/globals'
import type { BillingStack } from '../../../support/billingStack.ts'
import { billingState } from '../../billingState.ts'
import { createAtGateway, purchaseMetadata } from '../../createAtGateway.ts'
import { customerOf } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buy } from '../buyOta.ts'

const bed = useCleanStack()

const DAY = 86_400

/** By live status: brings an organization's `ota` into it, and returns the organization. */
const arrangements: Record<string, (stack: BillingStack) => Promise<string>> = {
  active: async (stack) => (await buy(stack)).organizationId,

  async trialing(stack) {
    const { organizationId } = await stack.organizationWithCard()
    // The webhook adopts it into the free slot.
    await createAtGateway(stack, {
      customer: await customerOf(stack, organizationId),
      trial_period_days: 30,
      metadata: purchaseMetadata(stack, organizationId),
    })
    await stack.emulator.flush()
    return organizationId
  },

  async past_due(stack) {
    const { organizationId, subscription } = await buy(stack)
    const card = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await stack.stripe.subscriptions.update(subscription.id, { default_payment_method: card })
    await stack.emulator.advance(31 * DAY + 2 * 3600)
    await stack.emulator.flush()
    return organizationId
  },

  // The emulator cancels after the last failed attempt and never sets `unpaid`: the slot is written directly.
  async unpaid(stack) {
    const { organizationId } = await buy(stack)
    const items = await stack.items()
    const slot = items.find(
      ({ product_code, sk }) => sk === `SLOT#${product_code}` && product_code === `base_ota:${organizationId}`,
    )
    expect(slot).toMatchObject({ state: 'active', subscription: { status: 'active' } })
    await stack.putItem({ ...slot, state: 'unpaid' })
    return organizationId
  },

  async paused(stack) {
    const { organizationId, subscription } = await buy(stack)
    await stack.stripe.subscriptions.pause(subscription.id, { type: 'subscription' })
    await stack.emulator.flush()
    return organizationId
  },
}

const entitled = ['active', 'trialing', 'past_due']

describe('POST /api/billing/checkout', () => {
  describe('Given a product that is live', () => {
    it.each(Object.entries(arrangements))(
      'answers already_subscribed while it is %s, and does not call the gateway',
      async (status, arrange) => {
        const { stack } = bed
        const organizationId = await arrange(stack)
        const before = await billingState(stack, organizationId)
        expect(before.slot).toBe(status)
        if (status !== 'unpaid') expect(before.subscriptions).toEqual([status])

        const token = await stack.token()
        const slot = await stack.slot(organizationId)
        stack.dynamoDb.reset()
        await stack.emulator.clearRequests()
        const answer = await stack.checkoutWith(token, organizationId, ['base_ota'], { card: 'pm_another' })
        expect([answer.status, answer.outcomes, answer.retryAfter]).toEqual([409, ['already_subscribed'], null])
        expect(await stack.emulator.requests()).toEqual([])
        expect(stack.writes()).toEqual([])
        expect(await billingState(stack, organizationId)).toEqual(before)
        expect(await stack.slot(organizationId)).toEqual(slot)

        const ota = (await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')
        // The unpaid slot was written without its entitlement.
        if (status !== 'unpaid') expect(ota?.active).toBe(entitled.includes(status))
      },
    )
  })
})
