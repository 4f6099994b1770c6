import { describe, expect, it } from '@jest/globals'
import type { CartOffer, CheckoutContext } from '../../../lib/billing/checkout/readCart.ts'
import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type { GatewaySubscription, PaymentOutcome } from '../../../lib/billing/gateway/subscription.ts'
import type { Slot } from '../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, expired, heldSlot, noon, ok, organizationId, subscription, unknown, userId } from '../fixtures.ts'
import { checkoutContext, memoryRecords } from '../memoryRecords.ts'
import { payIncomplete } from './failures/completeLine.ts'

const toConfirm: PaymentOutcome = { kind: 'requires_action', clientSecret: 'pi_1_secret', paymentMethodId: 'pm_old' }
const declinedPayment: PaymentOutcome = { kind: 'declined', declineCode: 'expired_card' }
const held = heldSlot('incomplete', { coupon: { id: 'coupon-1', code: 'CODE', userId } })
const slot = {
  ...held,
  ...(held.subscription && { subscription: { ...held.subscription, payment: 'requires_action' as const } }),
}

const incomplete = (payment: PaymentOutcome, change: Partial<GatewaySubscription> = {}) =>
  subscription({ status: 'incomplete', wasPaid: false, payment, ...change })
const waiting = { ok: true, clientSecret: 'pi_1_secret' }

interface Given {
  /** What each fetch of the subscription returns; one more is answered with `unseen`. */
  fetches?: readonly GatewaySubscription[]
  unseen?: GatewayAnswer<GatewaySubscription>
  /** The answer to the payment. */
  paid?: GatewayAnswer<null>
  stored?: Slot
  /** The number of the fetch before which another writer writes the slot. */
  overtakenBefore?: number
  request?: Partial<CheckoutContext>
  /** The answer to the voiding of the invoice. */
  voided?: GatewayAnswer<null>
  offer?: CartOffer
}

async function payGiven(
  { fetches = [], unseen = unknown, paid = { kind: 'ok', value: null, replayed: false }, ...rest }: Given,
  of = slot,
) {
  const records = memoryRecords([rest.stored ?? of])
  const calls: unknown[] = []
  let fetched = 0
  const deps = fakeBilling({
    records: { ...records, isRedeemed: async () => false },
    gateway: {
      fetchSubscription: async (id) => {
        calls.push(id)
        const value = fetches[fetched]
        fetched += 1
        if (fetched === rest.overtakenBefore) for (const stored of records.slots()) await records.commit(moved(stored))
        return value ? { kind: 'ok', value, replayed: false } : unseen
      },
      payInvoice: async (...call) => {
        calls.push(call)
        return paid
      },
      voidInvoice: async (id) => {
        calls.push(`void ${id}`)
        return rest.voided ?? ok(null)
      },
      cancelNow: async (id) => {
        calls.push(`end ${id}`)
        return ok(expired)
      },
    },
  })
  const answer = await payIncomplete(checkoutContext(deps, rest.request), 'base_ota', of, rest.offer)
  return { answer, calls, slot: records.slots()[0], committed: records.committed }
}

const moved = (current: Slot) => ({ next: { ...current, rev: current.rev + 1 } })
const otherCard = { paymentMethodId: 'pm_new' }

describe('payIncomplete', () => {
  describe('Given an incomplete purchase bought again', () => {
    it.each([{}, { paymentMethodId: 'pm_old' }])(
      'returns the same secret for the same card or none: %j',
      async (request) => {
        const { answer, calls, committed } = await payGiven({ fetches: [incomplete(toConfirm)], request })
        expect(answer).toMatchObject(waiting)
        expect([calls, committed]).toEqual([['sub_1'], []])
      },
    )

    it('answers gateway_unavailable where the gateway does not answer', async () => {
      expect((await payGiven({})).answer).toMatchObject({ error: 'gateway_unavailable' })
    })

    it('answers gateway_unavailable where the slot has no subscription, and calls no gateway', async () => {
      const { subscription: _, ...bare } = slot
      expect(await payGiven({}, bare)).toMatchObject({ answer: { error: 'gateway_unavailable' }, calls: [] })
    })

    it('answers already_subscribed where it was paid since, and records that', async () => {
      const { answer, slot: stored } = await payGiven({ fetches: [subscription()] })
      expect(answer).toMatchObject({ error: 'already_subscribed' })
      expect(stored).toMatchObject({ state: 'active', rev: 4 })
    })

    it('releases the slot where it expired, and its coupon in the same write', async () => {
      const { answer, committed } = await payGiven({ fetches: [expired] })
      expect(answer).toMatchObject({ released: { state: 'canceled', rev: 4 } })
      expect(committed).toMatchObject([{ redemption: { change: 'release' } }])
    })

    describe('Given a coupon', () => {
      it.each(['coupon-1', 'CODE', 'code'])('accepts its own coupon by any of its names: %s', async (couponCode) => {
        expect((await payGiven({ fetches: [incomplete(toConfirm)], request: { couponCode } })).answer).toMatchObject(
          waiting,
        )
      })

      it('refuses another one, which the open invoice cannot take', async () => {
        const { answer } = await payGiven({ fetches: [incomplete(toConfirm)], request: { couponCode: 'OTHER' } })
        expect(answer).toMatchObject({ error: 'coupon_invalid' })
      })

      it('refuses any where it was bought without one', async () => {
        const { coupon: _, ...bare } = slot
        const { answer } = await payGiven({ fetches: [incomplete(toConfirm)], request: { couponCode: 'CODE' } }, bare)
        expect(answer).toMatchObject({ error: 'coupon_invalid' })
      })
    })
  })

  describe('Given a declined purchase and another coupon', () => {
    const price = { id: 'price_1', gatewayProductId: 'prod_1', currency: 'usd' }
    const coupon = { id: 'other', code: 'OTHER', promotionCodeId: null, gatewayProductIds: null, currency: null }
    const offer: CartOffer = {
      prices: ok(new Map([['base_ota', price]])),
      coupon: { kind: 'found', coupon: { ...coupon, mayCoverAll: false } },
      details: [],
      arrears: 'none',
    }
    const declined = incomplete(declinedPayment)
    const request = { couponCode: 'OTHER', paymentMethodId: 'pm_new' }
    const alreadyPaid: GatewayAnswer<null> = { kind: 'refused', reason: 'already_done' }

    it('voids the invoice, ends the purchase and frees its slot with its coupon', async () => {
      const given = { fetches: [declined], request, offer }
      const { answer, calls, committed } = await payGiven(given)
      expect(calls).toEqual(['sub_1', 'void in_1', 'end sub_1'])
      expect(answer).toMatchObject({ released: { state: 'canceled' } })
      expect(committed.at(-1)).toMatchObject({ redemption: { change: 'release', coupon: { code: 'CODE' } } })
    })

    it('ends nothing that was paid after it was looked at, and answers already_subscribed', async () => {
      const given = { fetches: [declined, subscription()], voided: alreadyPaid, request, offer }
      const { answer, calls, slot: stored } = await payGiven(given)
      expect(calls).toEqual(['sub_1', 'void in_1', 'sub_1'])
      expect(answer).toMatchObject({ error: 'already_subscribed' })
      expect(stored).toMatchObject({ state: 'active', coupon: { code: 'CODE' } })
    })

    it.each([unknown, { kind: 'refused', reason: 'other' } as const])(
      'ends nothing where its invoice is not surely voided: %j',
      async (voided) => {
        const { answer, calls } = await payGiven({ fetches: [declined], voided, request, offer })
        expect(calls).toEqual(['sub_1', 'void in_1'])
        expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      },
    )

    it('leaves the slot to another request that has bought anew', async () => {
      const stored = { ...slot, n: 2, rev: 9, state: 'active' as const }
      const bought = { ...stored, ...(held.subscription && { subscription: { ...held.subscription, id: 'sub_2' } }) }
      const { answer, slot: left } = await payGiven({ fetches: [declined], stored: bought, request, offer })
      expect(answer).toMatchObject({ error: 'checkout_in_progress' })
      expect(left).toEqual(bought)
    })

    it('ends nothing while a card is removed that may have to pay', async () => {
      const cardFence = { owner: 'one', until: (noon + 60) * 1000 }
      const given = { fetches: [declined], request: { ...request, account: { ...account, cardFence } }, offer }
      const { answer, calls } = await payGiven(given)
      expect(calls).toEqual(['sub_1'])
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
    })
  })

  describe('Given another card for the open invoice', () => {
    it('pays the open invoice with an idempotency key of its own, after a write of the slot', async () => {
      const {
        answer,
        calls,
        slot: stored,
      } = await payGiven({ fetches: [incomplete(toConfirm), subscription()], request: otherCard })
      expect(calls).toEqual(['sub_1', ['in_1', 'pm_new', `pay:${organizationId}:ota:1:uuid`], 'sub_1'])
      expect(answer).toMatchObject({ ok: true, status: 'active' })
      expect(stored).toMatchObject({ state: 'active', rev: 5 })
      expect(stored).not.toHaveProperty('payer')
    })

    it('records the payer while it pays', async () => {
      const { committed } = await payGiven({ fetches: [incomplete(declinedPayment)], request: otherCard })
      expect(committed).toMatchObject([{ next: { state: 'incomplete', rev: 4, payer: { owner: 'uuid', userId } } }])
    })

    it('does not pay where another writer wrote the slot first', async () => {
      const { answer, calls } = await payGiven({
        fetches: [incomplete(declinedPayment)],
        stored: { ...slot, rev: 4, payer: { owner: 'another', userId, since: 0 } },
        request: otherCard,
      })
      expect(answer).toMatchObject({ error: 'checkout_in_progress' })
      expect(calls).toEqual(['sub_1'])
    })

    it('begins again where an event wrote the slot first', async () => {
      const { answer, calls, committed } = await payGiven({
        fetches: [incomplete(declinedPayment), incomplete(declinedPayment), subscription()],
        stored: { ...slot, rev: 4 },
        request: otherCard,
      })
      expect(answer).toMatchObject({ ok: true, status: 'active' })
      expect(calls).toEqual(['sub_1', 'sub_1', ['in_1', 'pm_new', `pay:${organizationId}:ota:1:uuid`], 'sub_1'])
      expect(committed).toMatchObject([{ next: { rev: 5, payer: { owner: 'uuid' } } }, { next: { state: 'active' } }])
    })

    it('answers gateway_refused where there is no invoice', async () => {
      const { answer, calls } = await payGiven({ fetches: [incomplete(declinedPayment, { invoiceId: null })] })
      expect(answer).toMatchObject({ error: 'gateway_refused' })
      expect(calls).toEqual(['sub_1'])
    })

    it('takes a refused look at the subscription for no refusal of the payment', async () => {
      const unseen = { kind: 'refused', reason: 'not_found' } as const
      const { answer } = await payGiven({ fetches: [incomplete(declinedPayment)], unseen, request: otherCard })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect((await payGiven({ unseen })).answer).toMatchObject({ error: 'gateway_unavailable' })
    })

    it('answers gateway_unavailable where the outcome of the payment cannot be fetched', async () => {
      const { answer } = await payGiven({ fetches: [incomplete(declinedPayment)], request: otherCard })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
    })

    it.each([
      ['paid', subscription(), { ok: true, status: 'active' }],
      ['expired', expired, { error: 'checkout_in_progress' }],
    ] as const)(
      'answers the state that it fetches where another writer recorded it first: %s',
      async (_, latest, expected) => {
        const { answer, slot: stored } = await payGiven({
          fetches: [incomplete(declinedPayment), latest],
          overtakenBefore: 2,
          request: otherCard,
        })
        expect(answer).toMatchObject(expected)
        expect(stored).toMatchObject({ state: 'incomplete', rev: 5 })
      },
    )

    it('releases the slot where the purchase expired during the payment', async () => {
      const { answer } = await payGiven({ fetches: [incomplete(declinedPayment), expired], request: otherCard })
      expect(answer).toMatchObject({ released: { state: 'canceled', rev: 5 } })
    })

    it('returns the secret where the new card needs authentication', async () => {
      const latest = incomplete({ ...toConfirm, paymentMethodId: 'pm_new' })
      const { answer } = await payGiven({ fetches: [incomplete(toConfirm), latest], request: otherCard })
      expect(answer).toMatchObject({ ...waiting, status: 'incomplete' })
    })

    it('answers card_declined with the bank’s reason, and gateway_unavailable without one', async () => {
      const fetches = [incomplete(declinedPayment), incomplete(declinedPayment)]
      const paid = { kind: 'refused', reason: 'card_declined', declineCode: 'insufficient_funds' } as const
      expect((await payGiven({ fetches, paid, request: otherCard })).answer).toMatchObject({
        error: 'card_declined',
        detail: 'The card has insufficient funds',
      })
      expect((await payGiven({ fetches, paid: unknown, request: otherCard })).answer).toMatchObject({
        error: 'gateway_unavailable',
      })
      expect((await payGiven({ fetches, request: otherCard })).answer).toMatchObject({
        error: 'gateway_unavailable',
      })
    })
  })
})
