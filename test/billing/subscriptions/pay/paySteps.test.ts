import { describe, expect, it } from '@jest/globals'
import type { GatewayAnswer } from '../../../../lib/billing/gateway/gatewayAnswer.ts'
import type { UnpaidInvoice } from '../../../../lib/billing/gateway/gatewayPorts.ts'
import type {
  GatewaySubscription,
  PaymentOutcome,
  SubscriptionState,
} from '../../../../lib/billing/gateway/subscription.ts'
import type { Slot } from '../../../../lib/billing/slot/slot.ts'
import { projected } from '../../../../lib/billing/slot/slotChange.ts'
import { paySubscription } from '../../../../lib/billing/subscriptions/paySubscription.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { liveSlot, noon, ok, organizationId, pendingSlot, slot, subscription, unknown, userId } from '../../fixtures.ts'
import { changeStored } from '../cancel/changeStored.ts'

const toConfirm: PaymentOutcome = { kind: 'requires_action', clientSecret: 'pi_1_secret', paymentMethodId: 'pm_1' }
const declined: PaymentOutcome = { kind: 'declined', declineCode: 'insufficient_funds' }
const none: PaymentOutcome = { kind: 'none' }
const unpaid = (status: SubscriptionState, payment: PaymentOutcome = declined) =>
  subscription({ status, payment, wasPaid: status !== 'incomplete' })
const active = subscription({ coveredUntil: noon + 9 })
const ended = subscription({ status: 'canceled', endedAt: noon + 9 })
const draft: UnpaidInvoice = { id: 'in_2', isDraft: true, payment: none }

interface Given {
  stored?: Slot
  /** What the gateway has of the subscription, at one fetch after the other; the last one stays. */
  fetches: readonly GatewaySubscription[]
  paid?: GatewayAnswer<null>
  found?: GatewayAnswer<UnpaidInvoice | null>
  finalized?: GatewayAnswer<null>
  paymentMethodId?: string | undefined
  overtakenBy?: Slot
}

async function payGiven(given: Given) {
  const { fetches, paid = ok(null), found = unknown, finalized = ok(null), paymentMethodId, overtakenBy } = given
  const stored = given.stored ?? projected(liveSlot(), fetches[0] ?? active)
  const { records, calls, answering, outcomeOf } = changeStored(stored, [overtakenBy])
  let fetched = 0
  const deps = fakeBilling({
    records: {
      ...records,
      commit: (change) => {
        calls.push(change.next.payer !== undefined ? 'fence' : 'record')
        return records.commit(change)
      },
    },
    gateway: {
      fetchSubscription: async () => {
        calls.push('fetch')
        const value = fetches[Math.min(fetched, fetches.length - 1)]
        fetched += 1
        return value ? ok(value) : unknown
      },
      findUnpaidInvoice: async () => {
        calls.push('find')
        return found
      },
      finalizeInvoice: answering('finalize', finalized),
      payInvoice: async (id, card, key) => {
        calls.push(`pay ${id} ${card} ${key.replace(organizationId, 'org')}`)
        return paid
      },
    },
  })
  return outcomeOf((request) => paySubscription(deps, { ...request, paymentMethodId }))
}

describe('paySubscription', () => {
  it.each(['incomplete', 'past_due', 'unpaid'] as const)(
    'pays the open invoice of one that is %s behind a fence of its own, and records what it finds then',
    async (status) => {
      const {
        result,
        calls,
        slot: left,
      } = await payGiven({ fetches: [unpaid(status), active], paymentMethodId: 'pm_2' })
      expect(calls).toEqual(['fetch', 'fence', 'pay in_1 pm_2 pay:org:ota:1:uuid', 'fetch', 'record'])
      expect(left).toMatchObject({ state: 'active' })
      expect(left).not.toHaveProperty('payer')
      expect(result).toEqual({ slot: left, clientSecret: null })
    },
  )

  describe('Given a payment that waits for the buyer’s authentication', () => {
    it.each([undefined, 'pm_1'])(
      'returns its secret and begins no other one for the card %s',
      async (paymentMethodId) => {
        const { result, calls } = await payGiven({ fetches: [unpaid('past_due', toConfirm)], paymentMethodId })
        expect(result).toMatchObject({ clientSecret: 'pi_1_secret', slot: { state: 'past_due' } })
        expect(calls).toEqual(['fetch'])
      },
    )

    it('records it where the record does not know of it yet', async () => {
      const stored = projected(liveSlot(), unpaid('past_due'))
      const { calls, slot: left } = await payGiven({ stored, fetches: [unpaid('past_due', toConfirm)] })
      expect(calls).toEqual(['fetch', 'record'])
      expect(left?.subscription?.payment).toBe('requires_action')
    })

    it('pays the same invoice with another card', async () => {
      const fetches = [unpaid('past_due', toConfirm), active]
      expect((await payGiven({ fetches, paymentMethodId: 'pm_2' })).result).toMatchObject({ clientSecret: null })
    })
  })

  it('returns the secret where the card asks for authentication, though the gateway refused the payment', async () => {
    const paid = { kind: 'refused', reason: 'card_declined' } as const
    const { result, slot: left } = await payGiven({
      fetches: [unpaid('past_due'), unpaid('past_due', toConfirm)],
      paid,
    })
    expect(result).toMatchObject({
      clientSecret: 'pi_1_secret',
      slot: { subscription: { payment: 'requires_action' } },
    })
    expect(left).not.toHaveProperty('payer')
  })

  it.each([
    ['card_declined', 'card_declined'],
    ['payment_method_required', 'payment_method_required'],
    ['payment_method_invalid', 'payment_method_invalid'],
    ['already_done', 'gateway_refused'],
    ['other', 'gateway_refused'],
  ] as const)('throws for a payment that is refused as %s: %s', async (reason, code) => {
    const outcome = await payGiven({ fetches: [unpaid('past_due')], paid: { kind: 'refused', reason } })
    expect(outcome.result).toMatchObject({ code })
    expect(outcome.slot).not.toHaveProperty('payer')
  })

  it('goes by the subscription and not by the answer: an invoice refused because another request paid it is paid', async () => {
    const paid = { kind: 'refused', reason: 'other' } as const
    expect((await payGiven({ fetches: [unpaid('past_due'), active], paid })).result).toMatchObject({
      clientSecret: null,
    })
    expect((await payGiven({ fetches: [unpaid('past_due'), active], paid: unknown })).result).toMatchObject({
      clientSecret: null,
    })
    expect((await payGiven({ fetches: [unpaid('past_due')], paid: unknown })).result).toMatchObject({
      code: 'gateway_unavailable',
    })
  })

  describe('Given an unpaid one whose latest invoice is a draft', () => {
    const fetches = [unpaid('unpaid', none), active]

    it('pays the newest one that is open', async () => {
      const { calls } = await payGiven({ fetches, found: ok({ ...draft, isDraft: false }) })
      expect(calls).toEqual(['fetch', 'find', 'fence', 'pay in_2 undefined pay:org:ota:1:uuid', 'fetch', 'record'])
    })

    it('opens and pays the draft where none is open', async () => {
      const { calls } = await payGiven({ fetches, found: ok(draft) })
      expect(calls.slice(2, 5)).toEqual(['fence', 'finalize in_2', 'pay in_2 undefined pay:org:ota:1:uuid'])
    })

    it('pays nothing where the draft cannot be opened', async () => {
      const { calls, result } = await payGiven({ fetches: fetches.slice(0, 1), found: ok(draft), finalized: unknown })
      expect(calls.some((call) => call.startsWith('pay'))).toBe(false)
      expect(result).toMatchObject({ code: 'gateway_unavailable' })
    })

    it.each([
      ['nothing_to_pay', ok(null)],
      ['gateway_unavailable', unknown],
    ])('throws %s where its invoices are %j', async (code, found) => {
      expect(await payGiven({ fetches, found })).toMatchObject({ result: { code }, calls: ['fetch', 'find'] })
    })
  })

  it.each([
    ['is active by now', active, 'active'],
    ['has ended by now', ended, 'canceled'],
  ] as const)('throws nothing_to_pay for one that %s, and records that', async (_, latest, state) => {
    const outcome = await payGiven({ stored: projected(liveSlot(), unpaid('past_due')), fetches: [latest] })
    expect(outcome).toMatchObject({ result: { code: 'nothing_to_pay' }, calls: ['fetch', 'record'], slot: { state } })
  })

  it('throws nothing_to_pay where it ended while it was being paid', async () => {
    expect((await payGiven({ fetches: [unpaid('past_due'), ended] })).result).toMatchObject({ code: 'nothing_to_pay' })
  })

  it('throws nothing_to_pay where another request voided the invoice while it was being paid', async () => {
    const fetches = [unpaid('incomplete'), unpaid('incomplete', { kind: 'voided' })]
    const { result, calls } = await payGiven({ fetches, paid: { kind: 'refused', reason: 'other' } })
    expect(result).toMatchObject({ code: 'nothing_to_pay' })
    expect(calls.slice(0, 4)).toEqual(['fetch', 'fence', 'pay in_1 undefined pay:org:ota:1:uuid', 'fetch'])
  })

  it('throws checkout_in_progress and pays nothing where another writer was faster', async () => {
    const stored = projected(liveSlot(), unpaid('past_due'))
    const outcome = await payGiven({
      stored,
      fetches: [unpaid('past_due')],
      overtakenBy: { ...stored, rev: stored.rev + 1, payer: { owner: 'another', userId, since: noon * 1000 } },
    })
    expect(outcome).toMatchObject({ result: { code: 'checkout_in_progress' }, calls: ['fetch', 'fence'] })
  })

  it('begins again where an event was faster, and pays nothing where that was the event of a payment', async () => {
    const stored = projected(liveSlot(), unpaid('past_due'))
    const overtakenBy = projected(stored, unpaid('past_due'))
    const again = await payGiven({ stored, fetches: [unpaid('past_due'), unpaid('past_due'), active], overtakenBy })
    expect(again.calls.filter((call) => !call.startsWith('pay'))).toEqual([
      'fetch',
      'fence',
      'fetch',
      'fence',
      'fetch',
      'record',
    ])
    expect(again.result).toMatchObject({ slot: { state: 'active' } })
    const paid = await payGiven({
      stored,
      fetches: [unpaid('past_due'), active],
      overtakenBy: projected(stored, active),
    })
    expect(paid).toMatchObject({ result: { code: 'nothing_to_pay' }, calls: ['fetch', 'fence', 'fetch'] })
  })

  it('throws gateway_unavailable where the subscription is not fetched, before it is paid or after', async () => {
    const stored = projected(liveSlot(), unpaid('past_due'))
    expect(await payGiven({ stored, fetches: [] })).toMatchObject({
      result: { code: 'gateway_unavailable' },
      calls: ['fetch'],
    })
  })

  it.each([
    ['nothing_to_pay', 'an ended one', projected(liveSlot(), ended)],
    ['not_subscribed', 'a product never bought', slot({ state: 'none' })],
    ['checkout_in_progress', 'a purchase under way', pendingSlot()],
  ])('throws %s for %s, and does not call the gateway', async (code, _, stored) => {
    expect(await payGiven({ stored, fetches: [] })).toMatchObject({ result: { code }, calls: [] })
  })
})
