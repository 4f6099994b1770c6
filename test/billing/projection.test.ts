import { describe, expect, it } from '@jest/globals'
import { beforeFetch, project } from '../../lib/billing/projection.ts'
import { emptySlot } from '../../lib/billing/slot.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot, subscription, userId } from './fixtures.ts'

const now = (noon + 60) * 1000
const purchase = { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: 1, user_id: userId }

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

describe('Before the gateway is asked', () => {
  it.each([
    ['asks for news of its own subscription', liveSlot(), event(), 'fetch'],
    [
      'knows what the gateway did two seconds before its last answer',
      liveSlot(),
      event({ created: noon - 2 }),
      'covered',
    ],
    [
      'asks about the last two seconds, which the clock cannot tell apart',
      liveSlot(),
      event({ created: noon - 1 }),
      'fetch',
    ],
    ['lets an ended subscription rest', liveSlot({ subscription: { ...ended() } }), event(), 'already ended'],
    ['asks about the purchase under way', pendingSlot(), event({ deleted: true }), 'fetch'],
    [
      'leaves a late deletion of an older subscription alone',
      liveSlot({ n: 2 }),
      event({ subscriptionId: 'sub_0', deleted: true }),
      'older subscription',
    ],
    ['asks whether another subscription is live', liveSlot({ n: 2 }), event({ subscriptionId: 'sub_0' }), 'fetch'],
  ] as const)('%s', (_, standing, incoming, decision) => {
    expect(beforeFetch(standing, incoming)).toBe(decision)
  })
})

describe('What the gateway says of a subscription', () => {
  describe('Given the slot’s own subscription', () => {
    it('replaces the state whole, and moves the fence', () => {
      const latest = subscription({ status: 'past_due', asOf: noon + 60 })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'past_due', rev: 4, n: 1, subscription: { gatewayClock: noon + 60 } } },
      })
    })

    it('frees the slot when it has ended, and remembers when', () => {
      const latest = subscription({ status: 'canceled', endedAt: noon })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        change: { next: { state: 'canceled', subscription: { endedAt: noon } }, entitlement: { active: false } },
      })
    })
  })

  describe('Given a purchase that its own request has not settled', () => {
    const coupon = { id: 'c', code: 'C', userId }

    it('settles it forward and applies its coupon', () => {
      const settled = project(pendingSlot({ coupon }), subscription(), now)
      expect(settled).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', coupon }, redemption: { coupon, change: 'apply' } },
      })
      expect(settled).not.toHaveProperty('change.next.claim')
    })

    it('gives the coupon back when it expired unpaid', () => {
      const expired = subscription({ status: 'incomplete_expired', endedAt: noon, invoicePaid: false })
      expect(project(pendingSlot({ coupon }), expired, now)).toMatchObject({
        change: { next: { state: 'canceled' }, redemption: { coupon, change: 'release' } },
      })
    })

    it('leaves a declined one to whoever carries the purchase on, who must cancel it first', () => {
      const declined = subscription({ status: 'incomplete', firstPayment: { kind: 'declined', declineCode: null } })
      expect(project(pendingSlot(), declined, now)).toEqual({ kind: 'ignore', because: 'left to its purchase' })
    })

    it('does not take another purchase’s subscription for its own', () => {
      expect(project(pendingSlot({ n: 2 }), subscription(), now)).toEqual({ kind: 'orphan' })
    })
  })

  describe('Given a live subscription that nobody owns', () => {
    it('adopts the newest one into a free slot', () => {
      expect(project(emptySlot(organizationId, 'ota'), subscription(), now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', n: 1, rev: 1 } },
      })
    })

    it.each([
      ['a slot that another one holds', liveSlot({ n: 2 }), subscription({ id: 'sub_0' })],
      ['a free slot with a newer purchase', slot({ state: 'canceled', n: 2 }), subscription({ id: 'sub_0' })],
    ])('calls it an orphan beside %s', (_, standing, latest) => {
      expect(project(standing, latest, now)).toEqual({ kind: 'orphan' })
    })

    it('ignores it once it has ended', () => {
      expect(project(liveSlot({ n: 2 }), subscription({ id: 'sub_0', status: 'canceled' }), now)).toEqual({
        kind: 'ignore',
        because: 'older subscription',
      })
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
