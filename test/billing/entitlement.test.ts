import { describe, expect, it } from '@jest/globals'
import { entitlementAt, entitlementOf } from '../../lib/billing/entitlement.ts'
import { liveSlot, noon } from './fixtures.ts'

const now = noon * 1000
const end = noon + 5 * 86_400

/** A live slot whose subscription ends at `cancelAt`. */
function ending(cancelAt: number | null) {
  const slot = liveSlot()
  return { ...slot, ...(slot.subscription && { subscription: { ...slot.subscription, cancelAt } }) }
}

describe('An entitlement with a scheduled end', () => {
  const stored = entitlementOf(ending(end), now)

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
    expect(entitlementOf(ending(null), now)).not.toHaveProperty('endsAt')
    expect(entitlementOf({ ...ending(end), state: 'unpaid' }, now)).not.toHaveProperty('endsAt')
  })

  it('reads as before where it was stored without one', () => {
    const { endsAt: _endsAt, ...old } = stored
    expect(entitlementAt(end * 1000 + 1, old)).toEqual(old)
  })
})
