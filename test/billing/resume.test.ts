import { describe, expect, it } from '@jest/globals'
import type { CheckoutContext } from '../../lib/billing/checkoutRun.ts'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import { resume } from '../../lib/billing/resume.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import type { FirstPayment, GatewaySubscription } from '../../lib/billing/subscription.ts'
import { fakeBilling } from './fakeBilling.ts'
import { heldSlot, noon, organizationId, subscription, userId } from './fixtures.ts'
import { checkoutContext, memoryRecords } from './memoryRecords.ts'

const asked: FirstPayment = { kind: 'requires_action', clientSecret: 'pi_1_secret', paymentMethodId: 'pm_old' }
const declined: FirstPayment = { kind: 'declined', declineCode: 'expired_card' }
const slot = heldSlot('incomplete', { coupon: { id: 'coupon-1', code: 'CODE', userId } })
const unknown = { kind: 'unknown', saved: false } as const

const incomplete = (firstPayment: FirstPayment, change: Partial<GatewaySubscription> = {}) =>
  subscription({ status: 'incomplete', invoicePaid: false, firstPayment, ...change })
const expired = subscription({ status: 'incomplete_expired', endedAt: noon, invoicePaid: false })
const waiting = { ok: true, clientSecret: 'pi_1_secret' }

interface Story {
  /** What each look at the subscription finds; a missing one is not answered. */
  looks?: readonly GatewaySubscription[]
  paid?: GatewayAnswer<null>
  standing?: Slot
  /** Who wins the slot before the look of that number. */
  overtakenBefore?: number
  request?: Partial<CheckoutContext>
}

async function play({ looks = [], paid = { kind: 'ok', value: null, replayed: false }, ...rest }: Story, of = slot) {
  const records = memoryRecords([rest.standing ?? of])
  const calls: unknown[] = []
  let look = 0
  const deps = fakeBilling({
    records,
    gateway: {
      fetchSubscription: async (id) => {
        calls.push(id)
        const value = looks[look]
        look += 1
        if (look === rest.overtakenBefore) await records.commit(records.slots().map(moved))
        return value ? { kind: 'ok', value, replayed: false } : unknown
      },
      payInvoice: async (...call) => {
        calls.push(call)
        return paid
      },
    },
  })
  const answer = await resume(checkoutContext(deps, rest.request), 'base_ota', of)
  return { answer, calls, slot: records.slots()[0], committed: records.committed }
}

const moved = (standing: Slot) => ({ next: { ...standing, rev: standing.rev + 1 } })
const otherCard = { paymentMethodId: 'pm_new' }

describe('An incomplete purchase bought again', () => {
  it.each([{}, { paymentMethodId: 'pm_old' }])(
    'has the same secret with the same card or none: %j',
    async (request) => {
      const { answer, calls, committed } = await play({ looks: [incomplete(asked)], request })
      expect(answer).toMatchObject(waiting)
      expect([calls, committed]).toEqual([['sub_1'], []])
    },
  )

  it('is unknown where the gateway does not answer', async () => {
    expect((await play({})).answer).toMatchObject({ error: 'gateway_unavailable' })
  })

  it('is unknown without a subscription, and nothing is asked', async () => {
    const { subscription: _, ...bare } = slot
    expect(await play({}, bare)).toMatchObject({ answer: { error: 'gateway_unavailable' }, calls: [] })
  })

  it('is subscribed where it was paid meanwhile, and recorded', async () => {
    const { answer, slot: standing } = await play({ looks: [subscription()] })
    expect(answer).toMatchObject({ error: 'already_subscribed' })
    expect(standing).toMatchObject({ state: 'active', rev: 4 })
  })

  it('is bought anew where it expired, once its coupon is given back', async () => {
    const { answer, committed } = await play({ looks: [expired] })
    expect(answer).toMatchObject({ released: { state: 'canceled', rev: 4 } })
    expect(committed).toMatchObject([{ redemption: { change: 'release' } }])
  })

  describe('Given a coupon', () => {
    it.each(['coupon-1', 'CODE', 'code'])('goes on with its own coupon by any of its names: %s', async (couponCode) => {
      expect((await play({ looks: [incomplete(asked)], request: { couponCode } })).answer).toMatchObject(waiting)
    })

    it('refuses another one, which the open invoice cannot take', async () => {
      const { answer } = await play({ looks: [incomplete(asked)], request: { couponCode: 'OTHER' } })
      expect(answer).toMatchObject({ error: 'coupon_invalid' })
    })

    it('refuses any where it was bought without one', async () => {
      const { coupon: _, ...bare } = slot
      const { answer } = await play({ looks: [incomplete(asked)], request: { couponCode: 'CODE' } }, bare)
      expect(answer).toMatchObject({ error: 'coupon_invalid' })
    })
  })
})

describe('An open invoice paid with another card', () => {
  it('is paid under a fence and a key of its own', async () => {
    const {
      answer,
      calls,
      slot: standing,
    } = await play({ looks: [incomplete(asked), subscription()], request: otherCard })
    expect(calls).toEqual(['sub_1', ['in_1', 'pm_new', `pay:${organizationId}:ota:1:4`], 'sub_1'])
    expect(answer).toMatchObject({ ok: true, status: 'active' })
    expect(standing).toMatchObject({ state: 'active', rev: 5 })
    expect(standing).not.toHaveProperty('payer')
  })

  it('names its payer while it is paid', async () => {
    const { committed } = await play({ looks: [incomplete(declined)], request: otherCard })
    expect(committed).toMatchObject([{ next: { state: 'incomplete', rev: 4, payer: 'uuid' } }])
  })

  it('is not paid where the fence was lost', async () => {
    const { answer, calls } = await play({
      looks: [incomplete(declined)],
      standing: { ...slot, rev: 4 },
      request: otherCard,
    })
    expect(answer).toMatchObject({ error: 'checkout_in_progress' })
    expect(calls).toEqual(['sub_1'])
  })

  it('is refused where there is none', async () => {
    const { answer, calls } = await play({ looks: [incomplete(declined, { invoiceId: null })] })
    expect(answer).toMatchObject({ error: 'gateway_refused' })
    expect(calls).toEqual(['sub_1'])
  })

  it('is unknown where its outcome cannot be seen', async () => {
    const { answer } = await play({ looks: [incomplete(declined)], request: otherCard })
    expect(answer).toMatchObject({ error: 'gateway_unavailable' })
  })

  it.each([
    ['paid', subscription(), { ok: true, status: 'active' }],
    ['expired', expired, { error: 'checkout_in_progress' }],
  ] as const)('is what the gateway says where somebody else recorded it first: %s', async (_, latest, expected) => {
    const { answer, slot: standing } = await play({
      looks: [incomplete(declined), latest],
      overtakenBefore: 2,
      request: otherCard,
    })
    expect(answer).toMatchObject(expected)
    expect(standing).toMatchObject({ state: 'incomplete', rev: 5 })
  })

  it('frees the slot where it expired meanwhile', async () => {
    const { answer } = await play({ looks: [incomplete(declined), expired], request: otherCard })
    expect(answer).toMatchObject({ released: { state: 'canceled', rev: 5 } })
  })

  it('asks for authentication where the new card needs it', async () => {
    const latest = incomplete({ ...asked, paymentMethodId: 'pm_new' })
    const { answer } = await play({ looks: [incomplete(asked), latest], request: otherCard })
    expect(answer).toMatchObject({ ...waiting, status: 'incomplete' })
  })

  it('is refused with the bank’s reason, and unknown without one', async () => {
    const looks = [incomplete(declined), incomplete(declined)]
    const paid = { kind: 'refused', reason: 'card_declined', declineCode: 'insufficient_funds' } as const
    expect((await play({ looks, paid, request: otherCard })).answer).toMatchObject({
      error: 'card_declined',
      detail: 'The card has insufficient funds',
    })
    expect((await play({ looks, paid: unknown, request: otherCard })).answer).toMatchObject({
      error: 'gateway_unavailable',
    })
    expect((await play({ looks, request: otherCard })).answer).toMatchObject({ error: 'gateway_unavailable' })
  })
})
