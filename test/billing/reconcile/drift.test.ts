import { describe, expect, it } from '@jest/globals'
import type { OpenPayment, SubscriptionState } from '../../../lib/billing/gateway/subscription.ts'
import { isPriced, isRecorded, mayDiffer, remedyOf } from '../../../lib/billing/reconcile/drift.ts'
import { emptySlot, leaseReleased, type Slot } from '../../../lib/billing/slot/slot.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot, soldPrice, subscription } from '../fixtures.ts'

const now = noon * 1000
const abandoned = leaseReleased(pendingSlot())
const invoiceOpen = { kind: 'invoice_open', hostedInvoiceUrl: null } as const
/** The record of a subscription whose payment waits for this. */
function waiting(payment: OpenPayment): Slot {
  const { subscription: known, ...rest } = liveSlot()
  return { ...rest, ...(known && { subscription: { ...known, payment } }) }
}
const owingSlot = waiting('invoice_open')

describe('isRecorded and mayDiffer', () => {
  it('find no difference in a subscription that is recorded as it is', () => {
    expect(isRecorded(liveSlot(), subscription())).toBe(true)
    expect(mayDiffer(liveSlot(), subscription(), now)).toBe(false)
  })

  it.each([
    ['status', { status: 'past_due' as const }],
    ['period', { currentPeriodEnd: noon }],
    ['scheduled end', { cancelAt: noon }],
    ['end', { endedAt: noon }],
    ['id', { id: 'sub_2' }],
  ])('find a difference where its %s is another', (_, change) => {
    expect(isRecorded(liveSlot(), subscription(change))).toBe(false)
    expect(mayDiffer(liveSlot(), subscription(change), now)).toBe(true)
  })

  it.each([
    ['open, which the record does not know', liveSlot(), subscription({ payment: invoiceOpen })],
    ['settled, which the record does not know', owingSlot, subscription()],
  ])('find a difference where the invoice that was sent is %s', (_, held, latest) => {
    expect(isRecorded(held, latest)).toBe(false)
    expect(mayDiffer(held, latest, now)).toBe(true)
  })

  it('find no difference in an open invoice that is recorded, nor in a declined payment, which no list shows', () => {
    const owing = subscription({ payment: invoiceOpen })
    expect([isRecorded(owingSlot, owing), mayDiffer(owingSlot, owing, now)]).toEqual([true, false])
    expect(mayDiffer(waiting('declined'), subscription(), now)).toBe(false)
  })

  it('find a pending slot not to record the subscription that it remembers', () => {
    expect(isRecorded({ ...liveSlot(), state: 'pending' }, subscription())).toBe(false)
  })
})

describe('isPriced and mayDiffer, of what a subscription costs', () => {
  const end = noon + 30 * 86_400
  const priced = (change: object) => {
    const { subscription: known, ...rest } = liveSlot()
    return { ...rest, ...(known && { subscription: { ...known, ...change } }) }
  }

  it.each<[string, object, object]>([
    ['the next charge is not recorded', { nextCharge: undefined }, {}],
    ['nothing was to be charged, and a list does not say so', { nextCharge: null }, {}],
    ['the recorded one was of another time than the period’s end', { nextCharge: { amount: 4900, at: noon } }, {}],
    ['another charge was previewed', {}, { nextCharge: { amount: 2450, at: end } }],
    ['an open invoice comes before', {}, { nextCharge: { amount: 4900, at: noon } }],
    ['nothing will be charged', {}, { nextCharge: null }],
    ['the price is not recorded', { price: undefined }, {}],
  ])('find it out of date where %s', (_, known, latest) => {
    expect(isPriced(priced(known), subscription(latest))).toBe(false)
    expect(mayDiffer(priced(known), subscription(latest), now)).toBe(true)
    // It is no drift.
    expect(isRecorded(priced(known), subscription(latest))).toBe(true)
  })

  it.each<[string, object, object]>([
    ['that a list does not show', {}, {}],
    ['that is the same', {}, { nextCharge: { amount: 4900, at: end } }],
    ['of a subscription of which nothing will be charged', { nextCharge: null }, { nextCharge: null }],
    ['of a price that is no single amount', { price: undefined }, { price: null }],
    ['whose price was replaced, which is reported', {}, { price: { ...soldPrice, amount: 1 } }],
  ])('find a recorded one right %s', (_, known, latest) => {
    expect(mayDiffer(priced(known), subscription(latest), now)).toBe(false)
  })
})

describe('mayDiffer, of a subscription whose slot is free', () => {
  it.each<[SubscriptionState, boolean]>([
    ['active', true],
    ['incomplete', true],
    ['canceled', false],
  ])('returns for one that is %s: %p', (status, looks) => {
    expect(mayDiffer(emptySlot(organizationId, 'ota'), subscription({ status }), now)).toBe(looks)
  })
})

describe('mayDiffer, of an ended subscription', () => {
  const ended = subscription({ status: 'canceled', endedAt: noon })

  it('returns true where its slot holds it as live, or waits for that purchase', () => {
    expect(mayDiffer(liveSlot(), ended, now)).toBe(true)
    expect(mayDiffer(abandoned, ended, now)).toBe(true)
  })

  it('returns false where its slot holds another, or waits for a later purchase', () => {
    expect(mayDiffer(liveSlot(), { ...ended, id: 'sub_9' }, now)).toBe(false)
    expect(mayDiffer({ ...abandoned, n: 2 }, ended, now)).toBe(false)
    expect(mayDiffer({ ...liveSlot(), ...abandoned, n: 2 }, ended, now)).toBe(false)
  })
})

describe('mayDiffer, of a purchase that holds its lease', () => {
  it('returns true only once the lease has ended', () => {
    const leased = pendingSlot()
    const { leaseUntil = 0 } = leased.claim ?? {}
    expect(mayDiffer(leased, subscription(), leaseUntil - 1)).toBe(false)
    expect(mayDiffer(leased, subscription(), leaseUntil)).toBe(true)
  })
})

describe('remedyOf', () => {
  it.each([
    ['free', liveSlot(), 'canceled' as const],
    ['free', pendingSlot(), 'canceled' as const],
    ['adopt', pendingSlot(), 'active' as const],
    ['adopt', slot({ state: 'none' }), 'active' as const],
    ['adopt', slot({ state: 'canceled' }), 'active' as const],
    ['project', liveSlot(), 'past_due' as const],
  ])('returns %s', (remedy, held, status) => {
    expect(remedyOf(held, subscription({ status }))).toBe(remedy)
  })
})
