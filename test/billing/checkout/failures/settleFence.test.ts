import { describe, expect, it } from '@jest/globals'
import type { GatewaySubscription } from '../../../../lib/billing/gateway/subscription.ts'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { claimedLine, liveSlot, ok, pendingSlot, subscription } from '../../fixtures.ts'
import { checkoutContext, memoryRecords } from '../../memoryRecords.ts'
import { completePurchase } from './completeLine.ts'

/** Completes purchase 1 in a store whose slot is already `stored`. */
async function completeIn(stored: Slot, mine: GatewaySubscription) {
  const records = memoryRecords([stored])
  const deps = fakeBilling({
    records,
    gateway: { createSubscription: async () => ok(mine) },
  })
  const line = await completePurchase(checkoutContext(deps), claimedLine(), 'cus_1')
  return { line, slots: records.slots(), tries: records.tries }
}

describe('completePurchase', () => {
  it('writes the slot where its claim is still stored', async () => {
    const { line, slots } = await completeIn(pendingSlot(), subscription())
    expect(line).toMatchObject({ ok: true, status: 'active' })
    expect(slots).toMatchObject([{ state: 'active', rev: 4, subscription: { id: 'sub_1' } }])
  })

  it.each([
    ['a webhook that settled it', liveSlot({ rev: 4 })],
    ['a request that took it over', pendingSlot({ rev: 4 })],
  ])('does not overwrite what %s wrote, and does not try again', async (_, stored) => {
    const outcome = await completeIn(stored, subscription({ coveredUntil: 0 }))
    expect(outcome.slots).toEqual([stored])
    expect(outcome.tries).toBe(1)
  })
})
