import { describe, expect, it } from '@jest/globals'
import type { GatewayAnswer } from '../../../../lib/billing/gateway/gatewayAnswer.ts'
import type { GatewaySubscription } from '../../../../lib/billing/gateway/subscription.ts'
import { emptySlot, type Slot } from '../../../../lib/billing/slot/slot.ts'
import { cancel } from '../../../../lib/billing/subscriptions/cancel.ts'
import type { Role } from '../../../../lib/organizations/ports.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import {
  account,
  claimAt,
  declined,
  expired,
  liveSlot,
  noon,
  ok,
  organizationId,
  pendingSlot,
  slot,
  subscription,
  unknown,
  userId,
} from '../../fixtures.ts'
import { changeStored } from './changeStored.ts'

type Answer = GatewayAnswer<GatewaySubscription>
const notFound: Answer = { kind: 'refused', reason: 'not_found' }
const ended = subscription({ status: 'canceled', endedAt: noon + 9, coveredUntil: noon + 9 })
const toConfirm = { kind: 'requires_action', clientSecret: 'pi_1_secret', paymentMethodId: null } as const
const snapshot = {
  status: 'incomplete',
  currentPeriodEnd: null,
  cancelAt: null,
  endedAt: null,
  coveredUntil: noon,
} as const
const scheduled = subscription({ cancelAt: noon + 86_400, coveredUntil: noon + 9 })

interface Given {
  /** In the store when the record is written. */
  stored?: Slot
  /** What the first read returns, where it is another slot. */
  read?: Slot
  answer?: Answer
  latest?: Answer
  /** What the customer's list has of a pending purchase; without it the organization has no customer. */
  listed?: GatewayAnswer<GatewaySubscription | null>
  /** The answers to the voiding of an invoice, and to a refund. */
  voided?: GatewayAnswer<null>
  back?: GatewayAnswer<number>
  atPeriodEnd?: boolean
  role?: Role | undefined
  /** What other writers write before each of our writes. */
  overtakenBy?: readonly (Slot | undefined)[]
}

async function cancelGiven({ stored = liveSlot(), answer = ok(ended), latest = unknown, ...rest }: Given) {
  const { records, calls, answering, outcomeOf } = changeStored(stored, rest.overtakenBy)
  const marks: object[] = []
  const entries: string[] = []
  const fake = fakeBilling({
    records: {
      ...records,
      read: async () => ({
        role: 'role' in rest ? rest.role : 'owner',
        account: { ...account, ...(rest.listed && { customer: { cipher: 'c', digest: 'd' } }) },
        slots: [emptySlot(organizationId, 'monitoring'), rest.read ?? stored],
      }),
      addEntry: async ({ action }) => void entries.push(action),
    },
    gateway: {
      cancelNow: async (id, why) => {
        marks.push(why)
        return answering('now', answer)(id)
      },
      refundSubscription: async (id, paidAfter) => {
        calls.push(`refund ${id} after ${paidAfter}`)
        return rest.back ?? ok(0)
      },
      cancelAtPeriodEnd: answering('at period end', answer),
      fetchSubscription: answering('fetch', latest),
      findUnpaidInvoice: async () => ok(null),
      voidInvoice: answering('void', rest.voided ?? ok(null)),
      findSubscription: async () => {
        calls.push('list')
        return rest.listed ?? unknown
      },
    },
  })
  const { card, invoice } = fake.gateways
  const gateways = { card, invoice: { ...invoice, cards: undefined } }
  const deps = { ...fake, gateways, cipher: { ...fake.cipher, decrypt: async () => 'cus_1' } }
  const { atPeriodEnd = false } = rest
  return { ...(await outcomeOf((request) => cancel(deps, { ...request, atPeriodEnd }))), marks, entries }
}

const canceledAt = (effectiveAt: number | null) => ({ status: 'canceled', effectiveAt })

describe('cancel', () => {
  describe('Given the caller as the only writer', () => {
    it('ends a subscription at once and records it', async () => {
      const { result, calls, slot: left } = await cancelGiven({})
      expect([result, calls]).toEqual([canceledAt(noon + 9), ['now sub_1']])
      expect(left).toMatchObject({ state: 'canceled', rev: 4, subscription: { endedAt: noon + 9 } })
    })

    it.each([
      [scheduled, noon + 86_400],
      [subscription({ currentPeriodEnd: noon + 60 }), noon + 60],
      [subscription({ currentPeriodEnd: null }), null],
    ])('schedules the cancellation for the end of the paid period: %#', async (answer, effectiveAt) => {
      const { result, calls } = await cancelGiven({ answer: ok(answer), atPeriodEnd: true })
      expect(result).toEqual({ status: 'cancellation_scheduled', effectiveAt })
      expect(calls).toEqual(['at period end sub_1'])
    })

    describe('and an incomplete subscription', () => {
      const stored = liveSlot({ state: 'incomplete' })

      // [bug 2]
      it.each([
        ['ends it at once where it is not paid', 'incomplete', true, ['fetch sub_1', 'void in_1', 'now sub_1']],
        ['keeps its paid period where it was paid meanwhile', 'active', true, ['fetch sub_1', 'at period end sub_1']],
        ['only records it where it has ended', 'canceled', true, ['fetch sub_1']],
        ['ends it at once without asking where that is wanted', 'active', false, ['now sub_1']],
      ] as const)('%s', async (_, status, atPeriodEnd, expected) => {
        const latest = ok(subscription({ status, coveredUntil: noon + 9 }))
        const { calls } = await cancelGiven({ stored, latest, atPeriodEnd })
        expect(calls).toEqual(expected)
      })

      it.each([
        [unknown, 'gateway_unavailable'],
        [notFound, 'gateway_refused'],
      ] as const)('cancels nothing where it cannot be fetched: %j', async (latest, code) => {
        const { result, calls } = await cancelGiven({ stored, latest, atPeriodEnd: true })
        expect(result).toMatchObject({ code })
        expect(calls).toEqual(['fetch sub_1'])
      })
    })

    describe.each(['past_due', 'unpaid'] as const)('and a subscription that is %s', (status) => {
      const stored = liveSlot({ state: status })
      const owing = subscription({ status, payment: { kind: 'declined', declineCode: null }, coveredUntil: noon + 9 })
      const withoutInvoice = { ...owing, payment: { kind: 'none' } } as const
      const done: GatewayAnswer<null> = { kind: 'refused', reason: 'already_done' }

      it.each([
        ['ends it', ok(null), undefined, ['at period end sub_1', 'void in_1', 'now sub_1']],
        [
          'leaves it scheduled where it was paid meanwhile',
          done,
          undefined,
          ['at period end sub_1', 'void in_1', 'at period end sub_1'],
        ],
        ['ends it where nothing is open', ok(null), owing, ['at period end sub_1', 'fetch sub_1', 'now sub_1']],
        [
          'leaves it scheduled where nothing is open any more',
          ok(null),
          subscription(),
          ['at period end sub_1', 'fetch sub_1', 'at period end sub_1'],
        ],
      ] as const)('%s, whatever the record says', async (_, voided, fetched, expected) => {
        const answer = ok(fetched ? withoutInvoice : owing)
        const given = { answer, voided, latest: fetched ? ok(fetched) : unknown, atPeriodEnd: true }
        expect((await cancelGiven({ ...given, stored })).calls).toEqual(expected)
        expect((await cancelGiven(given)).calls).toEqual(expected)
      })

      it('schedules the end of one that was paid before', async () => {
        const { calls, result } = await cancelGiven({ stored, answer: ok(scheduled), atPeriodEnd: true })
        expect(calls).toEqual(['at period end sub_1'])
        expect(result).toEqual({ status: 'cancellation_scheduled', effectiveAt: noon + 86_400 })
      })

      it.each([
        [unknown, 'gateway_unavailable'],
        [{ kind: 'refused', reason: 'other' }, 'gateway_refused'],
      ] as const)('ends nothing where its invoice is not surely voided: %j', async (voided, code) => {
        const { calls, result } = await cancelGiven({ stored, answer: ok(owing), voided, atPeriodEnd: true })
        expect(calls).toEqual(['at period end sub_1', 'void in_1'])
        expect(result).toMatchObject({ code })
      })

      it('schedules the end of one whose invoices are sent', async () => {
        const answer = ok(subscription({ status, gateway: 'invoice', cancelAt: noon + 60 }))
        const { calls, result } = await cancelGiven({
          stored: { ...stored, gateway: 'invoice' },
          answer,
          atPeriodEnd: true,
        })
        expect(calls).toEqual(['at period end sub_1'])
        expect(result).toEqual({ status: 'cancellation_scheduled', effectiveAt: noon + 60 })
      })
    })

    describe('and a payment that the record does not show', () => {
      const asked = { change: 'cancel', by: userId, refundAfter: noon } as const
      const paid = subscription({ ...ended, requested: asked, invoicePaidAt: noon + 5 })
      const open = subscription({
        ...paid,
        invoicePaidAt: null,
        payment: { kind: 'invoice_open', hostedInvoiceUrl: null },
      })

      it.each([
        ['a first payment', liveSlot({ state: 'incomplete' }), noon],
        ['a payment of what was past due', liveSlot({ state: 'past_due' }), noon],
        ['a renewal', liveSlot(), noon + 30 * 86_400],
        ['any payment of a purchase whose outcome is unknown', pendingSlot({ claim: claimAt((noon - 60) * 1000) }), 0],
      ])('notes at the gateway when %s would be unknown', async (_, stored, refundAfter) => {
        const listed = stored.state === 'pending' ? { listed: ok(subscription()) } : {}
        expect((await cancelGiven({ stored, ...listed })).marks).toEqual([{ kind: 'asked', by: userId, refundAfter }])
      })

      it.each([
        ['refunds it before it records the end', paid, ok(1), true],
        ['voids what is open and refunds nothing', open, ok(0), undefined],
        ['reports a payment that cannot be refunded', paid, { kind: 'refused', reason: 'other' }, undefined],
      ] as const)('%s', async (_, answer, back, refunded) => {
        const { result, calls, slot: left, entries } = await cancelGiven({ answer: ok(answer), back })
        expect(calls).toEqual(['now sub_1', `refund sub_1 after ${noon}`])
        expect(result).toEqual({ ...canceledAt(noon + 9), ...(refunded && { refunded }) })
        expect([left?.state, left?.subscription?.refunded]).toEqual(['canceled', refunded])
        expect(entries).toEqual(refunded ? ['subscription.refunded'] : [])
        const again = await cancelGiven({ stored: left ?? slot() })
        expect([again.result, again.calls]).toEqual([result, []])
      })

      it('records nothing until it was refunded', async () => {
        const { result, slot: left } = await cancelGiven({ answer: ok(paid), back: unknown })
        expect([result, left]).toMatchObject([{ code: 'gateway_unavailable' }, { state: 'active', rev: 3 }])
      })

      it.each([
        ['that the record showed', { invoicePaidAt: noon }],
        ['of a subscription that the gateway ended', { requested: null }],
        ['of a subscription whose invoices are sent', { requested: { change: 'cancel', by: userId } as const }],
      ])('gives back no payment %s', async (_, change) => {
        expect((await cancelGiven({ answer: ok({ ...paid, ...change }) })).calls).toEqual(['now sub_1'])
      })
    })

    it('returns the end of a subscription that has ended, and does not call the gateway', async () => {
      const { result, calls } = await cancelGiven({ stored: endedSlot(noon) })
      expect([result, calls]).toEqual([canceledAt(noon), []])
      expect((await cancelGiven({ stored: endedSlot(null) })).result).toEqual(canceledAt(null))
    })

    it.each([
      ['a purchase under way', { stored: pendingSlot() }, 'checkout_in_progress'],
      ['nothing bought', { stored: slot({ state: 'none' }) }, 'not_subscribed'],
      ['a product without a slot', { read: emptySlot(organizationId, 'remote_ssh') }, 'not_subscribed'],
      ['a member', { role: 'member' as const }, 'forbidden'],
      ['a stranger', { role: undefined }, 'organization_not_found'],
    ])('throws for %s, and does not call the gateway', async (_, given: Given, code) => {
      const { result, calls, tries } = await cancelGiven(given)
      expect(result).toMatchObject({ code })
      expect([calls, tries]).toEqual([[], 0])
    })

    it.each([
      ['unknown', unknown, unknown, 'gateway_unavailable', ['now sub_1']],
      ['refused', { kind: 'refused', reason: 'other' }, unknown, 'gateway_refused', ['now sub_1']],
      ['not found and not fetched', notFound, unknown, 'gateway_unavailable', ['now sub_1', 'fetch sub_1']],
      ['not found twice', notFound, notFound, 'gateway_refused', ['now sub_1', 'fetch sub_1']],
      ['not found and live', notFound, ok(subscription()), 'gateway_refused', ['now sub_1', 'fetch sub_1']],
    ] as const)(
      'throws and records nothing where the gateway’s answer is %s',
      async (_, answer, latest, code, asked) => {
        const { result, calls, tries } = await cancelGiven({ answer, latest })
        expect(result).toMatchObject({ code })
        expect([calls, tries]).toEqual([asked, 0])
      },
    )

    it('records the end of a subscription that had ended at the gateway before', async () => {
      const { result, slot: left } = await cancelGiven({ answer: notFound, latest: ok(ended) })
      expect(result).toEqual(canceledAt(noon + 9))
      expect(left?.state).toBe('canceled')
    })
  })

  describe('Given a purchase whose outcome is unknown', () => {
    const sentBefore = (minutes: number) =>
      pendingSlot({ claim: claimAt((noon - minutes * 60) * 1000), coupon: { id: 'c', code: 'C', userId } })

    it.each([
      ['a live one now', subscription(), false, ['list', 'now sub_1'], ended, canceledAt(noon + 9), 'canceled'],
      [
        'a live one at the end of its period',
        subscription(),
        true,
        ['list', 'at period end sub_1'],
        scheduled,
        { status: 'cancellation_scheduled', effectiveAt: noon + 86_400 },
        'active',
      ],
    ] as const)('looks it up and cancels %s', async (_, listed, atPeriodEnd, asked, answer, result, state) => {
      const stored = sentBefore(1)
      const outcome = await cancelGiven({ stored, listed: ok(listed), answer: ok(answer), atPeriodEnd })
      expect(outcome).toMatchObject({ calls: asked, result, slot: { state, rev: 5 } })
    })

    it.each([true, false])(
      'records one that waits for its buyer, and ends it: at period end %s',
      async (atPeriodEnd) => {
        const unpaid = { ...ended, wasPaid: false }
        const listed = ok(subscription({ status: 'incomplete', wasPaid: false, payment: toConfirm }))
        const outcome = await cancelGiven({ stored: sentBefore(1), listed, answer: ok(unpaid), atPeriodEnd })
        const calls = ['list', ...(atPeriodEnd ? ['void in_1'] : []), 'now sub_1']
        expect(outcome).toMatchObject({ calls, result: canceledAt(noon + 9) })
        // Sent again, it is answered from this record.
        expect(outcome.slot).toMatchObject({ state: 'canceled', rev: 6, subscription: { id: 'sub_1' } })
      },
    )

    it.each([
      ['declined', declined(), ['list', 'now sub_1']],
      ['ended unpaid', expired, ['list']],
    ] as const)('frees the slot of one that was only ever %s: it was no subscription', async (_, listed, asked) => {
      const answer = ok({ ...ended, wasPaid: false })
      const outcome = await cancelGiven({ stored: sentBefore(1), listed: ok(listed), answer })
      expect(outcome).toMatchObject({
        calls: asked,
        result: { code: 'not_subscribed' },
        slot: { state: 'none', rev: 5 },
      })
    })

    it('keeps a declined one that cannot be canceled', async () => {
      const outcome = await cancelGiven({ stored: sentBefore(1), listed: ok(declined()), answer: unknown })
      expect(outcome).toMatchObject({ result: { code: 'gateway_unavailable' }, slot: { state: 'pending', rev: 5 } })
    })

    it('cancels one whose event is faster than the record of what was found', async () => {
      const stored = sentBefore(1)
      const listed = ok(subscription({ status: 'incomplete', wasPaid: false, payment: toConfirm }))
      const event = (id: string) => liveSlot({ state: 'incomplete', rev: 5, subscription: { ...snapshot, id } })
      const given = { stored, listed, answer: ok({ ...ended, wasPaid: false }) }
      const beaten = await cancelGiven({ ...given, overtakenBy: [undefined, event('sub_1')] })
      expect(beaten).toMatchObject({ calls: ['list', 'now sub_1'], slot: { state: 'canceled', rev: 6 } })
      const other = await cancelGiven({ ...given, overtakenBy: [undefined, event('sub_2')] })
      expect(other).toMatchObject({ calls: ['list'], result: { code: 'checkout_in_progress' }, slot: { rev: 5 } })
    })

    it('records one that was made and has ended, without canceling it', async () => {
      const { result, calls, slot: left } = await cancelGiven({ stored: sentBefore(1), listed: ok(ended) })
      expect([result, calls, left?.state]).toEqual([canceledAt(noon + 9), ['list'], 'canceled'])
    })

    it.each([
      ['frees the slot and the coupon of one that can no longer arrive', 16, ok(null), 'none', 'not_subscribed'],
      ['keeps one that may still arrive', 14, ok(null), 'pending', 'gateway_unavailable'],
      ['keeps one where the list is not answered', 16, unknown, 'pending', 'gateway_unavailable'],
    ] as const)('%s', async (_, minutes, listed, state, code) => {
      const stored = sentBefore(minutes)
      const { result, slot: left } = await cancelGiven({ stored, listed })
      expect(result).toMatchObject({ code })
      expect(left).toMatchObject({ state })
      // Looking up is no sending, and leaves no lease.
      const looked = left?.state === 'pending' && { leaseUntil: 0, lastSent: stored.claim?.lastSent }
      expect(left).toMatchObject(looked ? { claim: looked } : { rev: 5 })
    })

    it('frees the slot of one whose organization has no customer, for nothing was sent for it', async () => {
      const { result, calls, slot: left } = await cancelGiven({ stored: sentBefore(1) })
      expect(result).toMatchObject({ code: 'not_subscribed' })
      expect([calls, left?.state]).toEqual([[], 'none'])
    })

    it('answers checkout_in_progress where a request takes it over first', async () => {
      const stored = sentBefore(1)
      const { result, calls } = await cancelGiven({ stored, listed: ok(null), overtakenBy: [{ ...stored, rev: 4 }] })
      expect(result).toMatchObject({ code: 'checkout_in_progress' })
      expect(calls).toEqual([])
    })
  })

  describe('Given other writers that write the slot first', () => {
    const beaten = (...revs: number[]) => revs.map((rev) => liveSlot({ rev }))

    it('fetches its subscription and writes that over their projection of it, in up to three tries', async () => {
      const given = { latest: ok(ended) }
      expect(await cancelGiven({ ...given, overtakenBy: beaten(4, 5) })).toMatchObject({
        calls: ['now sub_1', 'fetch sub_1', 'fetch sub_1'],
        slot: { state: 'canceled', rev: 6 },
      })
      expect(await cancelGiven({ ...given, overtakenBy: beaten(4, 5, 6, 7) })).toMatchObject({
        calls: ['now sub_1', 'fetch sub_1', 'fetch sub_1', 'fetch sub_1'],
        result: canceledAt(noon + 9),
        slot: { state: 'active', rev: 7 },
      })
    })

    it('does not write its own answer over that of a request that took the cancellation back within the same second', async () => {
      const given = { atPeriodEnd: true, answer: ok(scheduled), latest: ok(subscription({ coveredUntil: noon + 9 })) }
      const outcome = await cancelGiven({ ...given, overtakenBy: beaten(4) })
      expect(outcome.slot).toMatchObject({ rev: 5, subscription: { cancelAt: null } })
      expect(outcome.result).toEqual({ status: 'cancellation_scheduled', effectiveAt: noon + 86_400 })
    })

    it('leaves the record to the event where its subscription cannot be fetched', async () => {
      const outcome = await cancelGiven({ latest: unknown, overtakenBy: beaten(4) })
      expect(outcome).toMatchObject({ result: canceledAt(noon + 9), slot: { state: 'active', rev: 4 } })
    })

    it.each([
      ['the end of its subscription', { ...endedSlot(noon), rev: 4 }],
      ['another subscription', otherSubscription()],
      ['a slot without one', slot({ rev: 4, state: 'none' })],
    ])('does not overwrite %s', async (_, overtaking) => {
      const outcome = await cancelGiven({ overtakenBy: [overtaking] })
      expect(outcome.result).toEqual(canceledAt(noon + 9))
      expect(outcome.slot).toEqual(overtaking)
      expect(outcome.tries).toBe(2)
    })
  })
})

function endedSlot(endedAt: number | null): Slot {
  const { subscription: known, ...rest } = liveSlot({ state: 'canceled' })
  return { ...rest, ...(known && { subscription: { ...known, status: 'canceled', endedAt } }) }
}

function otherSubscription(): Slot {
  const { subscription: known, ...rest } = liveSlot({ rev: 4, n: 2 })
  return { ...rest, ...(known && { subscription: { ...known, id: 'sub_2' } }) }
}
