import { describe, expect, it } from '@jest/globals'
import { submitPurchase } from '../../../../lib/billing/checkout/submitPurchase.ts'
import type { GatewaySubscription } from '../../../../lib/billing/gateway/subscription.ts'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import {
  claimAt,
  claimedLine,
  declined,
  expired,
  heldSlot,
  liveSlot,
  noon,
  ok,
  pendingSlot,
  purchase,
  subscription,
  userId,
} from '../../fixtures.ts'
import { checkoutContext, memoryRecords } from '../../memoryRecords.ts'
import { completePurchase, payIncomplete } from './completeLine.ts'

/** A store in which another writer has just written the slot. */
function lostTo(current: Slot) {
  return { commit: async () => ({ slot: current, couponTaken: false, accountChanged: false }) }
}

const line = claimedLine()

describe('payIncomplete', () => {
  it('answers checkout_in_progress for an expired purchase whose release conflicts: the other writer may not have released the coupon', async () => {
    const slot = heldSlot('incomplete', { coupon: { id: 'c', code: 'C', userId } })
    const deps = fakeBilling({
      records: lostTo({ ...slot, rev: 4 }),
      gateway: { fetchSubscription: async () => ok(expired) },
    })
    expect(await payIncomplete(checkoutContext(deps), 'base_ota', slot)).toMatchObject({
      ok: false,
      error: 'checkout_in_progress',
    })
  })

  it('releases the slot of an expired purchase where the write succeeds', async () => {
    const slot = heldSlot('incomplete')
    const deps = fakeBilling({
      records: { commit: async () => null },
      gateway: { fetchSubscription: async () => ok(expired) },
    })
    expect(await payIncomplete(checkoutContext(deps), 'base_ota', slot)).toMatchObject({
      released: { state: 'canceled', rev: 4 },
    })
  })
})

describe('completePurchase, of a bought purchase whose write conflicts', () => {
  async function settleAgainst(current: Slot, mine: GatewaySubscription, removed: string[]) {
    const deps = fakeBilling({
      records: lostTo(current),
      gateway: {
        createSubscription: async () => ok(mine),
        refundSubscription: async (id) => {
          removed.push(`refund ${id}`)
          return ok(1)
        },
        cancelNow: async (id) => {
          removed.push(`cancel ${id}`)
          return ok(mine)
        },
        fetchSubscription: async (id) => ok(subscription({ id, purchase: { ...purchase, n: current.n } })),
      },
    })
    return completePurchase(checkoutContext(deps), line, 'cus_1')
  }

  // [bug 10]
  it('fetches the same subscription that the other writer recorded, writes it and answers with it', async () => {
    const records = memoryRecords([liveSlot({ rev: 4 })])
    const unpaid = subscription({ status: 'incomplete', wasPaid: false, coveredUntil: noon - 9 })
    const deps = fakeBilling({
      records,
      gateway: { createSubscription: async () => ok(unpaid), fetchSubscription: async () => ok(subscription()) },
    })
    const answer = await completePurchase(checkoutContext(deps), line, 'cus_1')
    expect(answer).toMatchObject({ ok: true, status: 'active', clientSecret: null })
    expect(records.slots()).toMatchObject([{ state: 'active', rev: 5 }])
  })

  it('answers gateway_unavailable where that write is lost four times as well', async () => {
    let rev = 4
    const deps = fakeBilling({
      records: {
        commit: async () => {
          rev += 1
          return { slot: liveSlot({ rev }), couponTaken: false, accountChanged: false }
        },
      },
      gateway: {
        createSubscription: async () => ok(subscription()),
        fetchSubscription: async () => ok(subscription()),
      },
    })
    const answer = await completePurchase(checkoutContext(deps), line, 'cus_1')
    expect([answer, rev]).toMatchObject([{ ok: false, error: 'gateway_unavailable' }, 8])
  })

  it('answers gateway_unavailable where another request took the purchase over, and removes nothing', async () => {
    const removed: string[] = []
    const answer = await settleAgainst(pendingSlot({ rev: 4 }), subscription(), removed)
    expect(answer).toMatchObject({ ok: false, error: 'gateway_unavailable' })
    expect(removed).toEqual([])
  })

  it('answers gateway_unavailable where a next purchase only remembers the subscription, and removes nothing', async () => {
    const removed: string[] = []
    const next = pendingSlot({ n: 2, rev: 6 })
    const remembered = liveSlot().subscription
    const answer = await settleAgainst(
      { ...next, ...(remembered && { subscription: remembered }) },
      subscription(),
      removed,
    )
    expect(answer).toMatchObject({ ok: false, error: 'gateway_unavailable' })
    expect(removed).toEqual([])
  })

  it('cancels and refunds its own subscription where the slot holds another one', async () => {
    const removed: string[] = []
    const other = liveSlot({ n: 2, rev: 9 })
    const remembered = other.subscription && { ...other.subscription, id: 'sub_2' }
    const current = { ...other, ...(remembered && { subscription: remembered }) }
    expect(await settleAgainst(current, subscription(), removed)).toMatchObject({ error: 'already_subscribed' })
    expect(removed).toEqual(['cancel sub_1', 'refund sub_1'])
  })
})

describe('completePurchase, of a refused purchase whose write conflicts', () => {
  async function refusedAgainst(current: Slot, outcome: 'refused' | 'declined') {
    const deps = fakeBilling({
      records: lostTo(current),
      gateway: {
        createSubscription:
          outcome === 'declined'
            ? async () => ok(declined('expired_card'))
            : async () => ({ kind: 'refused', reason: 'payment_method_required' }) as const,
        cancelNow: async () => ok(expired),
      },
    })
    return completePurchase(checkoutContext(deps), line, 'cus_1')
  }

  it.each(['refused', 'declined'] as const)(
    'answers gateway_unavailable while another request completes the purchase (%s)',
    async (outcome) => {
      const answer = await refusedAgainst(pendingSlot({ rev: 4 }), outcome)
      expect(answer).toMatchObject({ ok: false, error: 'gateway_unavailable' })
    },
  )

  it.each([
    ['refused', 'payment_method_required'],
    ['declined', 'card_declined'],
  ] as const)('answers the refusal once the slot is free or claimed anew (%s)', async (outcome, error) => {
    for (const current of [liveSlot({ state: 'none', rev: 4 }), pendingSlot({ n: 2, rev: 5 })]) {
      expect(await refusedAgainst(current, outcome)).toMatchObject({ ok: false, error })
    }
  })
})

describe('completePurchase, of a declined purchase', () => {
  it('refunds it where it was paid elsewhere before it was canceled', async () => {
    const refunded: string[] = []
    const deps = fakeBilling({
      records: { commit: async () => null },
      gateway: {
        createSubscription: async () => ok(declined()),
        cancelNow: async () => ok(subscription({ status: 'canceled', endedAt: noon })),
        refundSubscription: async (id) => {
          refunded.push(id)
          return ok(1)
        },
      },
    })
    expect(await completePurchase(checkoutContext(deps), line, 'cus_1')).toMatchObject({
      ok: false,
      error: 'card_declined',
    })
    expect(refunded).toEqual(['sub_1'])
  })
})

describe('submitPurchase', () => {
  it('returns an unknown outcome for a list that was read before the quiet period was over, however long the answer took', async () => {
    const day = 24 * 3600 * 1000
    const start = noon * 1000
    let now = start + day
    const claim = claimAt(start, { leaseUntil: 0, lastSent: now - 60_000 })
    const deps = {
      ...fakeBilling({
        gateway: {
          findSubscription: async () => {
            now += 3600 * 1000
            return ok(null)
          },
        },
      }),
      clock: { now: () => now, sync: async () => {} },
    }
    const lookUp = claimedLine({ slot: pendingSlot({ claim }), mode: 'look_up' })
    expect(await submitPurchase(deps, lookUp, 'cus_1', now + 25_000)).toEqual({ kind: 'unknown' })
  })
})
