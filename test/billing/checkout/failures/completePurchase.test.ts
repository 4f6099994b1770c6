import { describe, expect, it } from '@jest/globals'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import type { LogFields } from '../../../../lib/log/logger.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import {
  claimedLine,
  declined,
  expired,
  liveSlot,
  noon,
  ok,
  organizationId,
  pendingSlot,
  purchase,
  slot,
  subscription,
  unknown,
  userId,
} from '../../fixtures.ts'
import type { GatewayCalls } from '../../gatewayCalls.ts'
import { checkoutContext, memoryRecords } from '../../memoryRecords.ts'
import { completePurchase } from './completeLine.ts'

const coupon = { id: 'coupon-1', code: 'CODE', userId }
const mine = pendingSlot({ coupon })
const withoutCoupon = pendingSlot()
const logFields = { organizationId, product: 'ota', n: 1 }

interface Given {
  gateway: Partial<GatewayCalls>
  /** The purchase; `mine` where left out. */
  own?: Slot
  stored?: Slot
  /** What the store throws. */
  commit?: Error
  /** Whether the organization has a customer. */
  customer?: boolean
  /** Looks up a purchase that can no longer arrive, instead of sending one. */
  old?: boolean
}

async function completeGiven({ gateway, own = mine, stored = own, commit, customer = false, old = false }: Given) {
  const records = memoryRecords([stored])
  const logged: [string, LogFields | undefined][] = []
  const forgotten: string[] = []
  const log = (message: string, fields?: LogFields) => logged.push([message, fields])
  const fake = fakeBilling({
    records: {
      commit: commit ? () => Promise.reject(commit) : records.commit,
      unbindCustomer: async (_, { digest }) => {
        forgotten.push(digest)
        return true
      },
    },
    gateway,
  })
  const context = checkoutContext({ ...fake, logger: { info: log, warn: log, error: log } })
  const account = { ...context.account, ...(customer && { customer: { cipher: 'c', digest: 'd' } }) }
  const line = claimedLine({ slot: old ? longAgo(own) : own, mode: old ? 'look_up' : 'send' })
  const answer = await completePurchase({ ...context, account }, line, 'cus_1')
  return { answer, logged, forgotten, slot: records.slots()[0], committed: records.committed }
}

function longAgo(pending: Slot): Slot {
  return { ...pending, ...(pending.claim && { claim: { ...pending.claim, firstSent: 0, lastSent: 0 } }) }
}

describe('completePurchase', () => {
  describe('Given a purchase that is sent', () => {
    it('settles a bought purchase, and applies its coupon in the same write', async () => {
      const { answer, committed } = await completeGiven({
        gateway: { createSubscription: async () => ok(subscription()) },
      })
      expect(answer).toMatchObject({ ok: true, productCode: 'base_ota', status: 'active' })
      expect(committed).toMatchObject([{ next: { state: 'active', rev: 4 }, redemption: { coupon, change: 'apply' } }])
    })

    it('releases the slot and the coupon of a refused purchase', async () => {
      const refused = { kind: 'refused', reason: 'card_declined', declineCode: 'insufficient_funds' } as const
      const { answer, committed, forgotten } = await completeGiven({
        gateway: { createSubscription: async () => refused },
        customer: true,
      })
      expect(answer).toMatchObject({ error: 'card_declined', detail: 'The card has insufficient funds' })
      expect(committed).toMatchObject([
        { next: { state: 'none', rev: 4, n: 1 }, redemption: { coupon, change: 'release' } },
      ])
      expect(forgotten).toEqual([])
    })

    // [bug 8]
    it.each([
      ['forgets a customer that the gateway shows as deleted', ok({ deleted: true }), ['d']],
      ['keeps a customer that is not deleted, for the key or its mode may be wrong', ok({ deleted: false }), []],
      ['keeps a customer that the gateway does not show', { kind: 'refused', reason: 'not_found' } as const, []],
      ['keeps a customer where the gateway is away', unknown, []],
    ] as const)('releases the slot after an error that names the customer, and %s', async (_, deleted, expected) => {
      const refused = { kind: 'refused', reason: 'customer_missing' } as const
      const {
        answer,
        forgotten,
        slot: stored,
      } = await completeGiven({
        gateway: { createSubscription: async () => refused, fetchCustomer: async () => deleted },
        customer: true,
      })
      expect(answer).toMatchObject({ error: 'gateway_refused' })
      expect([forgotten, stored?.state]).toEqual([expected, 'none'])
    })

    it('frees the slot where no attempt was executed, and answers gateway_unavailable', async () => {
      const { answer, committed } = await completeGiven({
        gateway: { createSubscription: async () => ({ ...unknown, notExecuted: true }) },
      })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(committed).toMatchObject([{ next: { state: 'none' }, redemption: { change: 'release' } }])
    })

    it('frees the slot for another try with fresh prices where its price is not sold any more', async () => {
      const { answer, slot: stored } = await completeGiven({
        gateway: { createSubscription: async () => ({ kind: 'refused', reason: 'price_unavailable' }) },
      })
      expect(answer).toEqual({ released: stored, stalePrices: true })
      expect(stored).toMatchObject({ state: 'none' })
    })

    it('records when it saw a failure that is stored under the key', async () => {
      const { answer, committed } = await completeGiven({
        gateway: {
          createSubscription: async () => ({ kind: 'unknown', saved: true }),
          findSubscription: async () => ok(null),
        },
      })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(committed).toMatchObject([{ next: { state: 'pending', claim: { leaseUntil: 0, savedAt: noon * 1000 } } }])
    })

    it('releases the lease and keeps the slot pending where the outcome is unknown, and logs that', async () => {
      const { answer, committed, logged } = await completeGiven({
        gateway: { createSubscription: async () => unknown },
      })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(committed).toEqual([{ next: { ...mine, rev: 4, claim: { ...mine.claim, leaseUntil: 0 } } }])
      expect(logged).toEqual([['Purchase outcome unknown', logFields]])
    })

    // [catch settlePurchase.settlePurchase]
    it('answers gateway_unavailable and logs where the store is unavailable', async () => {
      const { answer, logged } = await completeGiven({
        gateway: { createSubscription: async () => ok(subscription()) },
        commit: new Error('unavailable'),
      })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(logged).toEqual([['Purchase not settled', { ...logFields, reason: 'Error' }]])
    })

    it('answers gateway_unavailable and logs where another purchase holds its coupon', async () => {
      const fake = fakeBilling({
        records: { commit: async () => ({ slot: undefined, couponTaken: true, accountChanged: false }) },
        gateway: { createSubscription: async () => ok(subscription()) },
      })
      const reasons: unknown[] = []
      const error = (_: string, fields?: LogFields) => reasons.push(fields?.reason)
      const context = checkoutContext({ ...fake, logger: { ...fake.logger, error } })
      const answer = await completePurchase(context, claimedLine({ slot: mine }), 'cus_1')
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(reasons).toEqual(['The coupon of this purchase is held by another one'])
    })
  })

  describe('Given a purchase that is looked up', () => {
    const nothing = { findSubscription: async () => ok(null) }

    it('releases the slot of a purchase that never arrived', async () => {
      const { answer } = await completeGiven({ gateway: nothing, old: true })
      expect(answer).toEqual({ released: slot({ state: 'none', rev: 4 }) })
    })

    it('answers checkout_in_progress where another writer released the slot', async () => {
      const { answer } = await completeGiven({ gateway: nothing, old: true, stored: slot({ rev: 4 }) })
      expect(answer).toMatchObject({ error: 'checkout_in_progress' })
    })

    it('releases the slot of a purchase that has ended since', async () => {
      const ended = subscription({ status: 'canceled', endedAt: noon })
      const { answer, slot: stored } = await completeGiven({
        gateway: { findSubscription: async () => ok(ended) },
        old: true,
      })
      expect(answer).toEqual({ released: stored })
      expect(stored).toMatchObject({ state: 'canceled', rev: 4 })
    })
  })

  describe('Given a purchase whose card is declined', () => {
    const gone = { kind: 'refused', reason: 'not_found' } as const

    const left = subscription({ ...expired, payment: { kind: 'invoice_open', hostedInvoiceUrl: null } })

    it.each([
      ['is canceled', ok(expired), []],
      ['is canceled and its invoice voided', ok(left), ['sub_1']],
      ['had ended before and its invoice was voided', gone, ['sub_1']],
    ] as const)('releases the slot once the subscription %s', async (_, canceled, expected) => {
      const voided: string[] = []
      const { answer, committed } = await completeGiven({
        own: withoutCoupon,
        gateway: {
          createSubscription: async () => ok(declined('expired_card')),
          cancelNow: async () => canceled,
          refundSubscription: async (id) => {
            voided.push(id)
            return ok(1)
          },
        },
      })
      expect(voided).toEqual(expected)
      expect(answer).toMatchObject({ error: 'card_declined', detail: 'The card has expired' })
      expect(committed).toMatchObject([{ next: { state: 'none' } }])
    })

    it('keeps it open with its coupon, and cancels nothing', async () => {
      const { answer, committed } = await completeGiven({
        gateway: { createSubscription: async () => ok(declined('expired_card')) },
      })
      expect(answer).toMatchObject({ error: 'card_declined', detail: 'The card has expired' })
      expect(committed).toMatchObject([
        {
          next: { state: 'incomplete', coupon, subscription: { payment: 'declined' } },
          redemption: { change: 'apply' },
        },
      ])
    })

    it('keeps the slot pending where its invoice cannot be voided yet', async () => {
      const { answer, slot: kept } = await completeGiven({
        own: withoutCoupon,
        gateway: {
          createSubscription: async () => ok(declined()),
          cancelNow: async () => ok(left),
          refundSubscription: async () => unknown,
        },
      })
      expect([answer, kept]).toMatchObject([{ error: 'gateway_unavailable' }, { state: 'pending' }])
    })

    it('keeps the slot pending where it was paid in the meantime and cannot be refunded yet', async () => {
      const paid = subscription({ status: 'canceled', endedAt: noon, refundDue: true })
      const refund = async () => unknown
      const gateway = { cancelNow: async () => ok(paid), refundSubscription: refund }
      const first = await completeGiven({
        own: withoutCoupon,
        gateway: { ...gateway, createSubscription: async () => ok(declined()) },
      })
      expect(first.answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(first.slot).toMatchObject({ state: 'pending' })
      // Whoever looks it up next finds that a refund is due.
      const refunded: string[] = []
      const next = await completeGiven({
        gateway: {
          findSubscription: async () => ok(paid),
          cancelNow: async () => gone,
          refundSubscription: async (id) => {
            refunded.push(id)
            return ok(1)
          },
        },
        old: true,
      })
      expect([next.answer, refunded]).toMatchObject([{ error: 'card_declined' }, ['sub_1']])
      expect(next.slot).toMatchObject({ state: 'none' })
    })

    it.each([unknown, { kind: 'refused', reason: 'other' }] as const)(
      'keeps the slot pending where the answer to the cancellation is %j',
      async (canceled) => {
        const { answer, slot: stored } = await completeGiven({
          own: withoutCoupon,
          gateway: { createSubscription: async () => ok(declined('expired_card')), cancelNow: async () => canceled },
        })
        expect(answer).toMatchObject({ error: 'gateway_unavailable' })
        expect(stored).toMatchObject({ state: 'pending', claim: { leaseUntil: 0 } })
      },
    )
  })

  describe('Given a slot that another writer wrote first', () => {
    const remembered = liveSlot().subscription
    const another = remembered && { ...remembered, id: 'sub_2' }
    const withAnother = (held: Slot) => ({ ...held, ...(another && { subscription: another }) })
    const withMine = (held: Slot) => ({ ...held, ...(remembered && { subscription: remembered }) })

    it.each([
      ['another purchase that holds the slot', withAnother(liveSlot({ n: 2, rev: 9 })), 'already_subscribed', true],
      ['a next purchase under way', pendingSlot({ n: 2, rev: 6 }), 'already_subscribed', true],
      ['its own end', withMine(slot({ state: 'canceled', rev: 5 })), 'gateway_unavailable', false],
      ['its release', slot({ state: 'none', rev: 5 }), 'gateway_unavailable', false],
      [
        'its own end, under the number of a later purchase',
        withMine(slot({ state: 'canceled', n: 2, rev: 5 })),
        'gateway_unavailable',
        false,
      ],
      ['another subscription under its number', withAnother(liveSlot({ rev: 5 })), 'already_subscribed', true],
    ] as const)(
      'finds %s, and removes its own subscription only where it is a second one',
      async (_, stored, error, removed) => {
        const calls: string[] = []
        const { answer, slot: left } = await completeGiven({
          stored,
          gateway: {
            createSubscription: async () => ok(subscription()),
            refundSubscription: async (id) => {
              calls.push(`refund ${id}`)
              return ok(1)
            },
            cancelNow: async (id) => {
              calls.push(`cancel ${id}`)
              return ok(subscription({ id, status: 'canceled' }))
            },
            fetchSubscription: async (id) => ok(subscription({ id, purchase: { ...purchase, n: stored.n } })),
          },
        })
        expect(answer).toMatchObject({ ok: false, error })
        expect(calls).toEqual(removed ? ['cancel sub_1', 'refund sub_1'] : [])
        expect(left).toEqual(stored)
      },
    )

    it.each([
      ['is recorded as ended', slot({ state: 'canceled', n: 2, rev: 9 }), 'canceled', 1],
      ['ended without the record', liveSlot({ n: 2, rev: 9 }), 'canceled', 2],
    ] as const)(
      'takes the place of another subscription that %s, and removes nothing',
      async (_, held, status, writes) => {
        const stored = withAnother(held)
        const given =
          held.state === 'canceled' && another ? { ...stored, subscription: { ...another, status } } : stored
        const {
          answer,
          slot: left,
          committed,
        } = await completeGiven({
          stored: given,
          gateway: {
            createSubscription: async () => ok(subscription()),
            fetchSubscription: async (id) =>
              ok(id === 'sub_1' ? subscription() : subscription({ id, status, endedAt: noon })),
          },
        })
        expect(answer).toMatchObject({ ok: true, status: 'active' })
        expect(left).toMatchObject({ state: 'active', subscription: { id: 'sub_1' } })
        // The end of the other one, and its own.
        expect(committed).toHaveLength(writes)
      },
    )

    it('decides nothing where the other subscription cannot be fetched', async () => {
      const stored = withAnother(liveSlot({ n: 2, rev: 9 }))
      const gateway = { createSubscription: async () => ok(subscription()), fetchSubscription: async () => unknown }
      const { answer, slot: left } = await completeGiven({ stored, gateway })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(left).toEqual(stored)
    })

    it('does not remove its own subscription where that has ended', async () => {
      const ended = subscription({ status: 'canceled', endedAt: noon })
      const gateway = { createSubscription: async () => ok(ended) }
      const { answer } = await completeGiven({ stored: withAnother(liveSlot({ n: 2, rev: 9 })), gateway })
      expect(answer).toMatchObject({ error: 'already_subscribed' })
    })
  })
})
