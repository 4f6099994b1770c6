import { describe, expect, it } from '@jest/globals'
import { toFree, toSubscription } from '../../lib/billing/slotChange.ts'
import { liveSlot, noon, pendingSlot, subscription, userId } from './fixtures.ts'

const now = noon * 1000
const coupon = { id: 'coupon-1', code: 'CODE', userId }
const pending = pendingSlot({ coupon })
const incomplete = liveSlot({ state: 'incomplete', coupon })
const active = liveSlot({ coupon })

const waiting = subscription({ status: 'incomplete', invoicePaid: false })
const unpaid = subscription({ status: 'past_due', invoicePaid: false })
const expired = subscription({ status: 'incomplete_expired', invoicePaid: false, endedAt: noon })
const ended = subscription({ status: 'canceled', endedAt: noon })
const endedUnpaid = subscription({ status: 'canceled', invoicePaid: false, endedAt: noon })

describe('What becomes of a coupon', () => {
  it.each([
    ['is applied with the purchase', pending, subscription(), 'apply'],
    ['is applied while the buyer authenticates', pending, waiting, 'apply'],
    ['is given back by a purchase that ended unpaid', pending, expired, 'release'],
    ['stays applied to a purchase that was paid and has ended', pending, ended, 'apply'],
    ['is given back where the buyer never authenticated', incomplete, expired, 'release'],
    ['stays as it is while the buyer authenticates', incomplete, waiting, undefined],
    ['stays as it is once the buyer has paid', incomplete, subscription(), undefined],
    ['stays as it is where a paid purchase ends before its payment is seen', incomplete, ended, undefined],
    ['stays as it is while a renewal is unpaid', active, unpaid, undefined],
    ['stays as it is when a subscription ends after an unpaid renewal', active, endedUnpaid, undefined],
  ] as const)('%s', (_, slot, latest, change) => {
    const { redemption } = toSubscription(slot, latest, now)
    expect(redemption).toEqual(change && { coupon, change })
  })

  it('is nothing without one', () => {
    expect(toSubscription(pendingSlot(), subscription(), now)).not.toHaveProperty('redemption')
    expect(toFree(pendingSlot(), now)).not.toHaveProperty('redemption')
  })

  it('is given back with the slot', () => {
    expect(toFree(pending, now)).toMatchObject({ next: { state: 'none' }, redemption: { coupon, change: 'release' } })
    expect(toFree(pending, now).next).not.toHaveProperty('coupon')
  })
})

describe('What may be used', () => {
  it('follows from the slot in the same change', () => {
    const { entitlement } = toSubscription(pending, subscription(), now)
    expect(entitlement).toMatchObject({ active: true, updatedAt: '2026-11-21T12:00:00Z' })
    expect(toFree(pending, now).entitlement).toMatchObject({ active: false, validUntil: null })
  })
})
