import { describe, expect, it } from '@jest/globals'
import { entitlementAt, entitlementOf } from '../../../lib/billing/slot/entitlement.ts'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { liveSlot, noon, pendingSlot } from '../fixtures.ts'

const createdAt = '2026-11-01T08:00:00Z'
const end = noon + 5 * 86_400

/** A live slot whose subscription ends at `cancelAt`. */
function ending(cancelAt: number | null) {
  const slot = liveSlot()
  return { ...slot, ...(slot.subscription && { subscription: { ...slot.subscription, cancelAt } }) }
}

describe('An entitlement with a scheduled end', () => {
  const stored = entitlementOf(ending(end), createdAt)

  it('is active until then', () => {
    expect(stored).toMatchObject({ active: true, validUntil: '2026-11-26T12:00:00Z' })
    expect(entitlementAt(end * 1000 - 1, stored)).toEqual(stored)
  })

  it('is inactive from then on, whatever was written since', () => {
    expect(entitlementAt(end * 1000, stored)).toMatchObject({
      active: false,
      validUntil: null,
      updatedAt: '2026-11-26T12:00:00Z',
    })
  })

  it('has none once the cancellation was taken back, or once it is inactive', () => {
    expect(entitlementOf(ending(null), createdAt)).not.toHaveProperty('endsAt')
    expect(entitlementOf({ ...ending(end), state: 'unpaid' }, createdAt)).not.toHaveProperty('endsAt')
  })
})

describe('An entitlement', () => {
  it('is as old as what the gateway said last of its subscription, and until one is bought as the organization', () => {
    const slot = liveSlot()
    expect(entitlementOf(slot, createdAt)).toMatchObject({
      active: true,
      updatedAt: toRfc3339((slot.subscription?.coveredUntil ?? 0) * 1000),
    })
    const never = { product: 'ota', active: false, validUntil: null, updatedAt: createdAt }
    expect(entitlementOf(pendingSlot(), createdAt)).toMatchObject(never)
  })

  it('is as old as the organization where what the gateway said has no date', () => {
    const slot = liveSlot()
    const undated = { ...slot, ...(slot.subscription && { subscription: { ...slot.subscription, coveredUntil: 0 } }) }
    expect(entitlementOf(undated, createdAt)).toMatchObject({ active: true, updatedAt: createdAt })
  })

  it('is as old as the end that an operator recorded without the gateway', () => {
    const slot = liveSlot()
    const endedAt = (slot.subscription?.coveredUntil ?? 0) + 60
    const released = { ...slot, ...(slot.subscription && { subscription: { ...slot.subscription, endedAt } }) }
    const ended = { active: false, updatedAt: toRfc3339(endedAt * 1000) }
    expect(entitlementOf({ ...released, state: 'canceled' }, createdAt)).toMatchObject(ended)
  })
})
