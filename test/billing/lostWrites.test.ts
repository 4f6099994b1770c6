import { describe, expect, it } from '@jest/globals'
import type { CheckoutContext } from '../../lib/billing/checkoutRun.ts'
import { completePurchase } from '../../lib/billing/completePurchase.ts'
import { resume } from '../../lib/billing/resume.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import { submitPurchase } from '../../lib/billing/submitPurchase.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import { fakeBilling } from './fakeBilling.ts'
import { heldSlot, liveSlot, noon, organizationId, pendingSlot, subscription, userId } from './fixtures.ts'

function ok<Value>(value: Value) {
  return async () => ({ kind: 'ok', value, replayed: false }) as const
}

/** A store in which somebody else has just written the slot. */
function lostTo(standing: Slot) {
  return { commit: async () => ({ slots: [standing], couponTaken: false, customerForgotten: false }) }
}

function context(deps: CheckoutContext['deps']): CheckoutContext {
  const account = { organizationId, createdAt: '2026-01-01T00:00:00Z', customerRev: 0 }
  return { deps, account, userId, paymentMethodId: undefined, couponCode: undefined, deadline: (noon + 25) * 1000 }
}

describe('A write that lost its condition', () => {
  it('does not free an expired purchase’s slot: whoever won may not have given its coupon back', async () => {
    const slot = heldSlot('incomplete', { coupon: { id: 'c', code: 'C', userId } })
    const expired = subscription({ status: 'incomplete_expired', endedAt: noon, invoicePaid: false })
    const deps = fakeBilling({ records: lostTo({ ...slot, rev: 4 }), gateway: { fetchSubscription: ok(expired) } })
    expect(await resume(context(deps), 'base_ota', slot)).toMatchObject({ ok: false, error: 'checkout_in_progress' })
  })

  it('frees it when the write stands', async () => {
    const slot = heldSlot('incomplete')
    const expired = subscription({ status: 'incomplete_expired', endedAt: noon, invoicePaid: false })
    const deps = fakeBilling({ records: { commit: async () => null }, gateway: { fetchSubscription: ok(expired) } })
    expect(await resume(context(deps), 'base_ota', slot)).toMatchObject({ released: { state: 'canceled', rev: 4 } })
  })

  async function settleAgainst(standing: Slot, mine: GatewaySubscription, removed: string[]) {
    const deps = fakeBilling({
      records: lostTo(standing),
      gateway: {
        createSubscription: ok(mine),
        refundSubscription: async (id) => {
          removed.push(`refund ${id}`)
          return { kind: 'ok', value: null, replayed: false }
        },
        cancelNow: async (id) => {
          removed.push(`cancel ${id}`)
          return { kind: 'ok', value: mine, replayed: false }
        },
      },
    })
    return completePurchase(context(deps), { code: 'base_ota', slot: pendingSlot(), mode: 'send' }, 'cus_1')
  }

  it('is a success where the same subscription stands there', async () => {
    const removed: string[] = []
    expect(await settleAgainst(liveSlot({ rev: 4 }), subscription(), removed)).toMatchObject({ ok: true })
    expect(removed).toEqual([])
  })

  it('leaves the purchase to whoever took it over', async () => {
    const removed: string[] = []
    const line = await settleAgainst(pendingSlot({ rev: 4 }), subscription(), removed)
    expect(line).toMatchObject({ ok: false, error: 'gateway_unavailable' })
    expect(removed).toEqual([])
  })

  it('does not call a next purchase its own that only remembers its subscription', async () => {
    const standing = pendingSlot({ n: 2, rev: 6 })
    const remembered = liveSlot().subscription
    const line = await settleAgainst(
      { ...standing, ...(remembered && { subscription: remembered }) },
      subscription(),
      [],
    )
    expect(line).toMatchObject({ ok: false, error: 'gateway_unavailable' })
  })

  it('pays back and cancels its own subscription where another one stands there', async () => {
    const removed: string[] = []
    const other = liveSlot({ n: 2, rev: 9 })
    const remembered = other.subscription && { ...other.subscription, id: 'sub_2' }
    const standing = { ...other, ...(remembered && { subscription: remembered }) }
    expect(await settleAgainst(standing, subscription(), removed)).toMatchObject({ error: 'already_subscribed' })
    expect(removed).toEqual(['refund sub_1', 'cancel sub_1'])
  })
})

describe('A refusal whose write lost its condition', () => {
  const declined = subscription({
    status: 'incomplete',
    invoicePaid: false,
    firstPayment: { kind: 'declined', declineCode: 'expired_card' },
  })

  async function refusedAgainst(standing: Slot, outcome: 'refused' | 'declined') {
    const deps = fakeBilling({
      records: lostTo(standing),
      gateway: {
        createSubscription:
          outcome === 'declined'
            ? ok(declined)
            : async () => ({ kind: 'refused', reason: 'payment_method_required' }) as const,
        cancelNow: ok(subscription({ status: 'incomplete_expired', endedAt: noon, invoicePaid: false })),
      },
    })
    return completePurchase(context(deps), { code: 'base_ota', slot: pendingSlot(), mode: 'send' }, 'cus_1')
  }

  it.each(['refused', 'declined'] as const)(
    'is not final while somebody carries the purchase on (%s)',
    async (outcome) => {
      const line = await refusedAgainst(pendingSlot({ rev: 4 }), outcome)
      expect(line).toMatchObject({ ok: false, error: 'gateway_unavailable' })
    },
  )

  it.each([
    ['refused', 'payment_method_required'],
    ['declined', 'card_declined'],
  ] as const)('is final once the slot is free or bought anew (%s)', async (outcome, error) => {
    for (const standing of [liveSlot({ state: 'none', rev: 4 }), pendingSlot({ n: 2, rev: 5 })]) {
      expect(await refusedAgainst(standing, outcome)).toMatchObject({ ok: false, error })
    }
  })
})

describe('A declined purchase that was paid elsewhere before it could be cancelled', () => {
  it('is paid back', async () => {
    const declined = subscription({
      status: 'incomplete',
      invoicePaid: false,
      firstPayment: { kind: 'declined', declineCode: null },
    })
    const refunded: string[] = []
    const deps = fakeBilling({
      records: { commit: async () => null },
      gateway: {
        createSubscription: ok(declined),
        cancelNow: ok(subscription({ status: 'canceled', endedAt: noon })),
        refundSubscription: async (id) => {
          refunded.push(id)
          return { kind: 'ok', value: null, replayed: false }
        },
      },
    })
    const line = { code: 'base_ota', slot: pendingSlot(), mode: 'send' } as const
    expect(await completePurchase(context(deps), line, 'cus_1')).toMatchObject({ ok: false, error: 'card_declined' })
    expect(refunded).toEqual(['sub_1'])
  })
})

describe('A list that was read before the quiet period was over', () => {
  it('proves nothing, however long the answer took', async () => {
    const day = 24 * 3600 * 1000
    const start = noon * 1000
    let now = start + day
    const claim = { owner: 'w', leaseUntil: 0, firstSent: start, lastSent: now - 60_000, frozenRequest: '{}', userId }
    const deps = {
      ...fakeBilling({
        gateway: {
          findSubscription: async () => {
            now += 3600 * 1000
            return { kind: 'ok', value: null, replayed: false }
          },
        },
      }),
      clock: { now: () => now, sync: async () => {} },
    }
    const line = { slot: pendingSlot({ claim }), mode: 'look_up' } as const
    expect(await submitPurchase(deps, line, 'cus_1', now + 25_000)).toEqual({ kind: 'unknown' })
  })
})
