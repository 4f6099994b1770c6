import { describe, expect, it } from '@jest/globals'
import { completePurchase } from '../../lib/billing/completePurchase.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import { fakeBilling } from './fakeBilling.ts'
import { liveSlot, pendingSlot, subscription } from './fixtures.ts'
import { checkoutContext, memoryRecords } from './memoryRecords.ts'

/** Carries purchase 1 out while somebody else has written `standing`. */
async function carryOutBeside(standing: Slot, mine: GatewaySubscription) {
  const records = memoryRecords([standing])
  const deps = fakeBilling({
    records,
    gateway: { createSubscription: async () => ({ kind: 'ok', value: mine, replayed: false }) },
  })
  const line = await completePurchase(
    checkoutContext(deps),
    { code: 'base_ota', slot: pendingSlot(), mode: 'send' },
    'cus_1',
  )
  return { line, standing: records.slots(), tries: records.tries }
}

describe('Settling a purchase', () => {
  it('writes on the fence of its claim', async () => {
    const { line, standing } = await carryOutBeside(pendingSlot(), subscription())
    expect(line).toMatchObject({ ok: true, status: 'active' })
    expect(standing).toMatchObject([{ state: 'active', rev: 4, subscription: { id: 'sub_1' } }])
  })

  it.each([
    ['a webhook that settled it', liveSlot({ rev: 4 })],
    ['a request that took it over', pendingSlot({ rev: 4 })],
  ])('leaves what %s wrote, and does not try again', async (_, standing) => {
    const outcome = await carryOutBeside(standing, subscription({ asOf: 0 }))
    expect(outcome.standing).toEqual([standing])
    expect(outcome.tries).toBe(1)
  })
})
