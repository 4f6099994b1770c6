import { describe, expect, it } from '@jest/globals'
import { beforeFetch, project } from '../../lib/billing/projection.ts'
import { emptySlot } from '../../lib/billing/slot.ts'
import {
  declined,
  expired,
  liveSlot,
  noon,
  organizationId,
  pendingSlot,
  purchase,
  slot,
  subscription,
  userId,
} from './fixtures.ts'

const now = (noon + 60) * 1000

function event(change: { subscriptionId?: string; created?: number; n?: number; deleted?: boolean } = {}) {
  return {
    kind: 'subscription',
    type: change.deleted ? 'customer.subscription.deleted' : 'customer.subscription.updated',
    created: change.created ?? noon + 10,
    subscriptionId: change.subscriptionId ?? 'sub_1',
    customerId: 'cus_1',
    purchase: { ...purchase, n: change.n ?? 1 },
  } as const
}

const otherDeleted = event({ subscriptionId: 'sub_0', deleted: true })

describe('beforeFetch', () => {
  it.each([
    ['fetches for an event of the slot’s own subscription', liveSlot(), event(), 'fetch'],
    [
      'fetches nothing for an event that is two seconds older than the gateway’s last answer',
      liveSlot(),
      event({ created: noon - 2 }),
      'covered',
    ],
    [
      'fetches for an event within those two seconds, which the clock cannot order',
      liveSlot(),
      event({ created: noon - 1 }),
      'fetch',
    ],
    [
      'fetches nothing for a subscription whose end is recorded',
      liveSlot({ subscription: { ...ended() } }),
      event(),
      'already ended',
    ],
    ['fetches for the purchase under way', pendingSlot(), event({ deleted: true }), 'fetch'],
    [
      'fetches nothing for a late deletion of an older purchase',
      liveSlot({ n: 2 }),
      otherDeleted,
      'older subscription',
    ],
    [
      'fetches for another subscription, which may be live',
      liveSlot({ n: 2 }),
      event({ subscriptionId: 'sub_0' }),
      'fetch',
    ],
    [
      'fetches nothing for a deletion of another purchase while one is under way',
      pendingSlot({ n: 2 }),
      otherDeleted,
      'older subscription',
    ],
    [
      'fetches nothing for a deletion of another subscription with the same purchase number',
      liveSlot(),
      otherDeleted,
      'older subscription',
    ],
    [
      'fetches nothing for a deletion without our metadata while a purchase is under way',
      pendingSlot(),
      { ...otherDeleted, purchase: null },
      'older subscription',
    ],
  ] as const)('%s', (_, current, incoming, decision) => {
    expect(beforeFetch(current, incoming)).toBe(decision)
  })
})

describe('project', () => {
  describe('Given the slot’s own subscription', () => {
    it('replaces the whole state, and moves the fence', () => {
      const latest = subscription({ status: 'past_due', asOf: noon + 60 })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'past_due', rev: 4, n: 1, subscription: { gatewayClock: noon + 60 } } },
      })
    })

    it('frees the slot of an ended one, and records when it ended', () => {
      const latest = subscription({ status: 'canceled', endedAt: noon })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        change: { next: { state: 'canceled', subscription: { endedAt: noon } }, entitlement: { active: false } },
      })
    })

    it('keeps the purchase number where the subscription has lost its metadata', () => {
      expect(project(liveSlot({ n: 3 }), subscription({ purchase: null }), now)).toMatchObject({
        kind: 'write',
        change: { next: { n: 3, rev: 4 } },
      })
    })
  })

  describe('Given a purchase that its own request has not settled', () => {
    const coupon = { id: 'c', code: 'C', userId }

    it('settles it and applies its coupon', () => {
      const settled = project(pendingSlot({ coupon }), subscription(), now)
      expect(settled).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', coupon }, redemption: { coupon, change: 'apply' } },
      })
      expect(settled).not.toHaveProperty('change.next.claim')
    })

    it('releases the coupon where the purchase expired unpaid', () => {
      expect(project(pendingSlot({ coupon }), expired, now)).toMatchObject({
        change: { next: { state: 'canceled' }, redemption: { coupon, change: 'release' } },
      })
    })

    it('leaves a declined one to the request that completes it, which cancels it first', () => {
      expect(project(pendingSlot(), declined(), now)).toEqual({ kind: 'ignore', because: 'left to its purchase' })
    })

    it('takes the subscription of an earlier purchase for an orphan while that is live', () => {
      expect(project(pendingSlot({ n: 2 }), subscription(), now)).toEqual({ kind: 'orphan' })
    })

    it('ignores the ended subscription of an earlier purchase that the slot remembers', () => {
      const { subscription: remembered } = liveSlot()
      const pending = pendingSlot({ n: 2, ...(remembered && { subscription: remembered }) })
      const latest = subscription({ status: 'canceled', endedAt: noon })
      expect(project(pending, latest, now)).toEqual({ kind: 'ignore', because: 'older subscription' })
    })
  })

  describe('Given a live subscription that no slot holds', () => {
    it('adopts the newest one into a free slot', () => {
      expect(project(emptySlot(organizationId, 'ota'), subscription(), now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', n: 1, rev: 1 } },
      })
    })

    it.each([
      ['a slot that another one holds', liveSlot({ n: 2 }), subscription({ id: 'sub_0' })],
      ['a free slot with a newer purchase', slot({ state: 'canceled', n: 2 }), subscription({ id: 'sub_0' })],
    ])('takes it for an orphan beside %s', (_, current, latest) => {
      expect(project(current, latest, now)).toEqual({ kind: 'orphan' })
    })
  })

  it('ignores an ended subscription that no slot holds', () => {
    expect(project(liveSlot({ n: 2 }), subscription({ id: 'sub_0', status: 'canceled' }), now)).toEqual({
      kind: 'ignore',
      because: 'older subscription',
    })
  })
})

function ended() {
  return {
    id: 'sub_1',
    status: 'canceled',
    currentPeriodEnd: null,
    cancelAt: null,
    endedAt: noon,
    gatewayClock: noon,
  } as const
}
