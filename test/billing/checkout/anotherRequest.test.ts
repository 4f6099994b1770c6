import { describe, expect, it } from '@jest/globals'
import type { GatewaySubscription } from '../../../lib/billing/gateway/subscription.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { claimedLine, declined, ok, pendingSlot, subscription } from '../fixtures.ts'
import { checkoutContext, memoryRecords } from '../memoryRecords.ts'
import { completePurchase } from './failures/completeLine.ts'

/** Looks up the pending purchase of another request, which the gateway has as `found`. */
async function lookUpFor({ same }: { same: boolean }, found: GatewaySubscription) {
  const slot = pendingSlot()
  const records = memoryRecords([slot])
  const gateway = {
    findSubscription: async () => ok(found),
    cancelNow: async () => ok(subscription({ status: 'canceled', wasPaid: false })),
  }
  const context = checkoutContext(fakeBilling({ records: { commit: records.commit }, gateway }))
  const answer = await completePurchase(context, claimedLine({ slot, mode: 'look_up', same }), 'cus_1')
  return { answer, slot: records.slots()[0] }
}

const secret = { kind: 'requires_action', clientSecret: 'pi_1_secret', paymentMethodId: 'pm_1' } as const
const unpaid = subscription({ status: 'incomplete', wasPaid: false, payment: secret })

describe('completePurchase, of a purchase that another card or coupon asked for', () => {
  it('answers already_subscribed where it was bought', async () => {
    const { answer, slot } = await lookUpFor({ same: false }, subscription())
    expect(answer).toMatchObject({ ok: false, error: 'already_subscribed' })
    expect(slot).toMatchObject({ state: 'active', subscription: { id: 'sub_1' } })
  })

  it('leaves one that waits for its buyer to the card of this request, and does not answer with its secret', async () => {
    const { answer, slot } = await lookUpFor({ same: false }, unpaid)
    expect(answer).toEqual({ incomplete: slot })
    expect(slot?.state).toBe('incomplete')
  })

  it('frees the slot of one that was declined for this request', async () => {
    const { answer, slot } = await lookUpFor({ same: false }, declined('insufficient_funds'))
    expect(answer).toEqual({ released: slot })
    expect(slot?.state).toBe('none')
  })
})

describe('completePurchase, of a purchase that the same request asked for', () => {
  it.each([
    ['the bought line', subscription(), { ok: true, status: 'active', clientSecret: null }],
    ['its secret', unpaid, { ok: true, status: 'incomplete', clientSecret: 'pi_1_secret' }],
    ['its decline', declined('insufficient_funds'), { ok: false, error: 'card_declined' }],
  ])('answers with %s', async (_, found, expected) => {
    expect((await lookUpFor({ same: true }, found)).answer).toMatchObject(expected)
  })
})
