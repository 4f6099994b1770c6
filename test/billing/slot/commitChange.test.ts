import { describe, expect, it } from '@jest/globals'
import type { Conflict, SlotChange } from '../../../lib/billing/slot/ports.ts'
import { commitChange, toFree, toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { noon, pendingSlot, subscription, userId } from '../fixtures.ts'

const pending = pendingSlot({ coupon: { id: 'coupon-1', code: 'CODE', userId } })
const freed = toFree(pending)
const bought = toSubscription(pending, subscription(), noon * 1000)
const heldByOther: Conflict = { slot: undefined, couponTaken: true, accountChanged: false }

async function commitAgainst(conflicts: readonly Conflict[], change: SlotChange) {
  const tried: SlotChange[] = []
  const commit = async (written: SlotChange) => {
    tried.push(written)
    return conflicts[tried.length - 1] ?? null
  }
  return { conflict: await commitChange({ commit }, change), tried }
}

describe('commitChange', () => {
  it('writes slot, entitlement and coupon together', async () => {
    expect(await commitAgainst([], freed)).toEqual({ conflict: null, tried: [freed] })
  })

  it('frees a slot whose coupon another purchase holds, and leaves the coupon with that one', async () => {
    const { redemption: _, ...withoutCoupon } = freed
    const outcome = await commitAgainst([heldByOther], freed)
    expect(outcome).toEqual({ conflict: null, tried: [freed, withoutCoupon] })
  })

  it.each([
    ['the slot was written meanwhile', { ...heldByOther, slot: pending }, freed],
    ['only the slot was written meanwhile', { ...heldByOther, slot: pending, couponTaken: false }, freed],
    ['the coupon is to be applied', heldByOther, bought],
  ])('returns the conflict where %s', async (_, conflict, change) => {
    expect(await commitAgainst([conflict], change)).toEqual({ conflict, tried: [change] })
  })

  it('returns the conflict of the second write', async () => {
    const lost = { ...heldByOther, slot: pending, couponTaken: false }
    expect(await commitAgainst([heldByOther, lost], freed)).toMatchObject({ conflict: lost })
  })
})
