import { describe, expect, it } from '@jest/globals'
import { beforeFetch, project } from '../../../lib/billing/slot/projection.ts'
import { claimed, emptySlot } from '../../../lib/billing/slot/slot.ts'
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
} from '../fixtures.ts'

const now = (noon + 60) * 1000
const underWay = { kind: 'report', why: 'live beside a purchase under way' }

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
      'already_ended',
    ],
    [
      'fetches for an ended subscription that still owes an invoice',
      liveSlot({ state: 'canceled', subscription: { ...ended(), payment: 'invoice_open' } }),
      event(),
      'fetch',
    ],
    ['fetches for the purchase under way', pendingSlot(), event({ deleted: true }), 'fetch'],
    [
      'fetches nothing for a late deletion of an older purchase',
      liveSlot({ n: 2 }),
      otherDeleted,
      'older_subscription',
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
      'older_subscription',
    ],
    [
      'fetches nothing for a deletion of another subscription with the same purchase number',
      liveSlot(),
      otherDeleted,
      'older_subscription',
    ],
    [
      'fetches nothing for a deletion without our metadata while a purchase is under way',
      pendingSlot(),
      { ...otherDeleted, purchase: null },
      'older_subscription',
    ],
  ] as const)('%s', (_, current, incoming, decision) => {
    expect(beforeFetch(current, incoming)).toBe(decision)
  })
})

describe('project', () => {
  describe('Given the slot’s own subscription', () => {
    it('replaces the whole state, and moves the fence', () => {
      const latest = subscription({ status: 'past_due', coveredUntil: noon + 60 })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'past_due', rev: 4, n: 1, subscription: { coveredUntil: noon + 60 } } },
      })
    })

    it('frees the slot of an ended one, and records when it ended', () => {
      const latest = subscription({ status: 'canceled', endedAt: noon })
      expect(project(liveSlot(), latest, now)).toMatchObject({
        change: { next: { state: 'canceled', subscription: { endedAt: noon } } },
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

    it.each([
      ['is declined, which that request cancels first', declined()],
      ['expired unpaid, for the purchase itself may be live beside a copy of its metadata', expired],
      ['was canceled and is to be refunded', subscription({ status: 'canceled', endedAt: noon, refundDue: true })],
    ])('leaves to its request one that %s', (_, latest) => {
      expect(project(pendingSlot(), latest, now)).toEqual({ kind: 'ignore', because: 'left_to_its_purchase' })
    })

    it('waits for its request with one that was paid and has ended: an older answer may be on its way', () => {
      const latest = subscription({ status: 'canceled', endedAt: noon })
      const why = 'ended while its purchase is under way'
      expect(project(pendingSlot(), latest, now)).toEqual({ kind: 'report', why })
    })

    it('reports a live one of another number, and touches nothing', () => {
      expect(project(pendingSlot({ n: 2 }), subscription(), now)).toEqual(underWay)
    })

    it('reports a live one beside it without asking for the ended one that the slot remembers', () => {
      const pending = pendingSlot({ n: 2, subscription: ended() })
      expect(project(pending, subscription({ id: 'sub_0', purchase: null }), now)).toEqual(underWay)
    })

    it('ignores the ended subscription of an earlier purchase that the slot remembers', () => {
      const { subscription: remembered } = liveSlot()
      const pending = pendingSlot({ n: 2, ...(remembered && { subscription: remembered }) })
      const latest = subscription({ status: 'canceled', endedAt: noon })
      expect(project(pending, latest, now)).toEqual({ kind: 'ignore', because: 'older_subscription' })
    })
  })

  describe('Given a live subscription other than the slot’s own', () => {
    const other = subscription({ id: 'sub_0', createdAt: noon + 5 })
    const restored = subscription({ id: 'sub_3', purchase: { ...purchase, n: 3 } })

    it('adopts it where the slot never had one', () => {
      expect(project(emptySlot(organizationId, 'ota'), subscription(), now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', n: 1, rev: 1 } },
      })
    })

    it('adopts it where the slot’s own is recorded as ended, and does not ask for that again', () => {
      const free = slot({ state: 'canceled', n: 2, subscription: ended() })
      expect(project(free, other, now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', n: 2, subscription: { id: 'sub_0' } } },
      })
    })

    it.each(['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const)(
      'asks for the slot’s own first, be the other one %s',
      (status) => {
        const fetchOwn = { kind: 'fetch_own', subscriptionId: 'sub_1' }
        expect(project(liveSlot({ n: 2 }), { ...other, status }, now)).toEqual(fetchOwn)
      },
    )

    it('writes the end of the slot’s own first, so that the other one is adopted after it', () => {
      const own = subscription({ status: 'canceled', endedAt: noon, coveredUntil: noon + 9 })
      const first = project(liveSlot(), other, now, own)
      expect(first).toMatchObject({
        kind: 'write',
        change: { next: { state: 'canceled', subscription: { id: 'sub_1', endedAt: noon } } },
      })
      const after = first.kind === 'write' ? first.change.next : liveSlot()
      expect(project(after, other, now)).toMatchObject({
        kind: 'write',
        change: { next: { state: 'active', rev: 5, subscription: { id: 'sub_0' } } },
      })
    })

    it('adopts a higher number than the slot’s, and records that it was not claimed here', () => {
      const free = slot({ state: 'canceled', subscription: ended() })
      expect(project(free, restored, now)).toMatchObject({ change: { next: { state: 'active', n: 3, raisedTo: 3 } } })
    })

    it('keeps where the numbers were raised to through the next purchase', () => {
      const { claim } = pendingSlot()
      const raised = slot({ state: 'canceled', n: 3, raisedTo: 3 })
      expect(claim && claimed(raised, claim)).toMatchObject({ n: 4, raisedTo: 3 })
    })

    it('reports it where the gateway does not know the slot’s own', () => {
      expect(project(liveSlot(), other, now, 'missing')).toEqual({
        kind: 'report',
        why: 'live beside one that the gateway does not know',
      })
    })
  })

  describe('Given a live subscription beside the slot’s own live one', () => {
    const held = liveSlot({ n: 3 })
    const own = subscription({ createdAt: noon + 30, purchase: { ...purchase, n: 3 } })
    const surplus = subscription({ id: 'sub_0', createdAt: noon, purchase: { ...purchase, n: 2 } })
    const dayLater = now + 86_400_000
    const numbered = (n: number) => ({ ...surplus, purchase: { ...purchase, n } })

    it('takes an earlier purchase that the slot claimed for its own surplus', () => {
      expect(project(held, surplus, now, own)).toEqual({ kind: 'surplus' })
    })

    it.each([
      ['has no metadata of ours', held, { ...surplus, purchase: null }, now, own],
      ['names another organization', held, named({ organization_id: userId }), now, own],
      ['names another product', held, named({ plan_code: 'addon_monitoring' }), now, own],
      ['has the number of the slot’s own', held, numbered(3), now, own],
      ['has a number that the slot never claimed', held, numbered(4), now, own],
      ['has a number that reconciliation raised the slot to', { ...held, raisedTo: 2 }, surplus, now, own],
      ['is a day old', held, surplus, dayLater - 60_000, own],
      ['was made a quarter of an hour after the slot’s own', held, { ...surplus, createdAt: noon + 930 }, now, own],
      ['is beside one without metadata', held, surplus, now, { ...own, purchase: null }],
      ['is beside one that has its number', held, surplus, now, { ...own, purchase: { ...purchase, n: 2 } }],
      ['is beside one with a number above the slot’s', held, surplus, now, { ...own, purchase: { ...purchase, n: 4 } }],
    ] as const)('reports one that %s, and touches nothing', (_, current, latest, at, held) => {
      expect(project(current, latest, at, held)).toEqual({ kind: 'report', why: 'live beside the slot’s own' })
    })

    it('still takes it for surplus just before the limits', () => {
      const { raisedTo, createdAt } = { raisedTo: 1, createdAt: noon + 929 }
      expect(project({ ...held, raisedTo }, { ...surplus, createdAt }, now, own)).toEqual({ kind: 'surplus' })
      expect(project(held, surplus, dayLater - 60_001, own)).toEqual({ kind: 'surplus' })
    })

    function named(change: Partial<typeof purchase | { organization_id: string; plan_code: string }>) {
      return { ...surplus, purchase: { ...purchase, n: 2, ...change } }
    }
  })

  it.each([liveSlot({ n: 2 }), pendingSlot({ n: 2 }), slot({ state: 'canceled', n: 2 })])(
    'takes what a crash left of surplus for surplus: canceled, with its refund due (slot %#)',
    (current) => {
      const canceled = subscription({ id: 'sub_0', status: 'canceled', refundDue: true })
      expect(project(current, canceled, now)).toEqual({ kind: 'surplus' })
    },
  )

  it('takes it for surplus too while its invoice is open, and not once nothing of it can be paid', () => {
    const unpaid = subscription({ id: 'sub_0', status: 'canceled', refundDue: true, wasPaid: false })
    const payment = { kind: 'invoice_open', hostedInvoiceUrl: null } as const
    expect(project(liveSlot({ n: 2 }), { ...unpaid, payment }, now)).toEqual({ kind: 'surplus' })
    expect(project(liveSlot({ n: 2 }), unpaid, now)).toEqual({ kind: 'ignore', because: 'older_subscription' })
  })

  it('ignores an ended subscription that no slot holds', () => {
    expect(project(liveSlot({ n: 2 }), subscription({ id: 'sub_0', status: 'canceled' }), now)).toEqual({
      kind: 'ignore',
      because: 'older_subscription',
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
    coveredUntil: noon,
  } as const
}
