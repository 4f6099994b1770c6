import { describe, expect, it } from '@jest/globals'
import { toFree, toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { expired, liveSlot, noon, pendingSlot, purchase, slot, subscription, userId } from '../fixtures.ts'

const now = noon * 1000
const coupon = { id: 'coupon-1', code: 'CODE', userId }
const pending = pendingSlot({ coupon })
const incomplete = liveSlot({ state: 'incomplete', coupon })
const active = liveSlot({ coupon })

const waiting = subscription({ status: 'incomplete', wasPaid: false })
const unpaid = subscription({ status: 'past_due', wasPaid: false })
const ended = subscription({ status: 'canceled', endedAt: noon })
const endedUnpaid = subscription({ status: 'canceled', wasPaid: false, endedAt: noon })

describe('toSubscription', () => {
  it.each([
    ['applies the coupon with the purchase', pending, subscription(), 'apply'],
    ['applies the coupon while the buyer authenticates', pending, waiting, 'apply'],
    ['releases the coupon of a purchase that ended unpaid', pending, expired, 'release'],
    ['applies the coupon to a purchase that was paid and has ended', pending, ended, 'apply'],
    ['releases the coupon where the buyer never authenticated', incomplete, expired, 'release'],
    ['does not change the coupon of an incomplete purchase', incomplete, waiting, undefined],
    ['does not change the coupon once the buyer has paid', incomplete, subscription(), undefined],
    [
      'does not change the coupon where a paid purchase ends before its payment is recorded',
      incomplete,
      ended,
      undefined,
    ],
    ['does not change the coupon while a renewal is unpaid', active, unpaid, undefined],
    ['does not change the coupon when a subscription ends after an unpaid renewal', active, endedUnpaid, undefined],
  ] as const)('%s', (_, slot, latest, change) => {
    const { redemption } = toSubscription(slot, latest, now)
    expect(redemption).toEqual(change && { coupon, change })
  })

  it.each([
    ['that is free', slot({ state: 'none', n: 0 })],
    ['whose own subscription has ended', { ...toSubscription(active, { ...ended, id: 'sub_0' }, now).next }],
  ])('adopts the coupon with a subscription that a slot %s takes', (_, free) => {
    const sold = subscription({ coupon: { id: 'found', code: 'FOUND' }, purchase: { ...purchase, redeemer: 'f00d' } })
    const adopted = { id: 'found', code: 'FOUND', userId, redeemer: 'f00d' }
    expect(toSubscription(free, sold, now)).toMatchObject({
      next: { state: 'active', coupon: adopted },
      redemption: { coupon: adopted, change: 'adopt' },
      entries: [{ action: 'subscription.purchased', detail: { coupon_code: 'FOUND' } }],
    })
    const byEarlierVersion = toSubscription(free, { ...sold, purchase }, now)
    expect(byEarlierVersion.redemption?.coupon).toEqual({ id: 'found', code: 'FOUND', userId })
    for (const other of [subscription(), { ...sold, purchase: { ...purchase, user_id: 'by hand' } }]) {
      const { next, redemption } = toSubscription(free, other, now)
      expect([next.coupon, redemption]).toEqual([undefined, undefined])
    }
  })

  it('keeps the coupon of its purchase, whatever discount the gateway shows', () => {
    const discounted = subscription({ coupon: { id: 'found', code: 'FOUND' } })
    expect(toSubscription(active, discounted, now).next.coupon).toEqual(coupon)
    expect(toSubscription(pending, discounted, now).next.coupon).toEqual(coupon)
  })

  it('leaves a slot as it was before a purchase that ended unpaid', () => {
    const { next } = toSubscription(pending, endedUnpaid, now)
    expect(next).toMatchObject({ state: 'none', rev: 4, n: 1 })
    expect(next).not.toHaveProperty('subscription')
    const { subscription: earlier } = toSubscription(active, { ...ended, id: 'sub_0' }, now).next
    const again = pendingSlot({ n: 2, ...(earlier && { subscription: earlier }) })
    expect(toSubscription(again, endedUnpaid, now).next).toMatchObject({
      state: 'canceled',
      subscription: { id: 'sub_0' },
    })
  })

  it('remembers a purchase that waited for its buyer as ended', () => {
    expect(toSubscription(incomplete, expired, now).next).toMatchObject({
      state: 'canceled',
      subscription: { id: 'sub_1' },
    })
  })

  it('changes no redemption without a coupon', () => {
    expect(toSubscription(pendingSlot(), subscription(), now)).not.toHaveProperty('redemption')
  })
})

describe('toFree', () => {
  it('releases the coupon with the slot', () => {
    expect(toFree(pending)).toMatchObject({ next: { state: 'none' }, redemption: { coupon, change: 'release' } })
    expect(toFree(pending).next).not.toHaveProperty('coupon')
  })

  it('changes no redemption without a coupon', () => {
    expect(toFree(pendingSlot())).not.toHaveProperty('redemption')
  })
})
