import { describe, expect, it } from '@jest/globals'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import type { Drift } from '../../../lib/billing/reconcile/drift.ts'
import { raiseNumber } from '../../../lib/billing/reconcile/raiseNumber.ts'
import type { Slot } from '../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, liveSlot, pendingSlot, purchase, subscription } from '../fixtures.ts'
import { memoryRecords } from '../memoryRecords.ts'

/** Compares a slot with a subscription of purchase 4. */
async function raiseGiven(slot: Slot, customerId = 'cus_1') {
  const stored = memoryRecords([slot])
  const found: Drift[] = []
  const customer = { cipher: 'c', digest: customerDigest('cus_1') }
  const readSlot = async () => ({ account: { ...account, customer }, slot })
  const { records } = fakeBilling({ records: { commit: stored.commit, readSlot } })
  const context = { records, dryRun: false, report: (drift: Drift) => void found.push(drift) }
  await raiseNumber(context, slot, subscription({ customerId, purchase: { ...purchase, n: 4 } }))
  return { found: found.map(({ remedy, done }) => [remedy, done]), slot: stored.slots()[0] }
}

describe('A purchase number at the gateway above the slot’s', () => {
  it('is not used again by the slot', async () => {
    const { found, slot } = await raiseGiven(liveSlot())
    expect([found, slot]).toMatchObject([[['raise', true]], { n: 4, raisedTo: 4, rev: 4 }])
  })

  it.each([pendingSlot(), liveSlot({ state: 'incomplete' })])(
    'is only reported while the slot’s own number is not settled: %#',
    async (unsettled) => {
      const { found, slot } = await raiseGiven(unsettled)
      expect([found, slot]).toEqual([[['raise', false]], unsettled])
    },
  )

  it('is no difference where another customer has it', async () => {
    expect((await raiseGiven(liveSlot(), 'cus_2')).found).toEqual([])
  })
})
