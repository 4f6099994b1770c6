import { describe, expect, it } from '@jest/globals'
import { completePurchase } from '../../lib/billing/completePurchase.ts'
import type { PaymentGateway } from '../../lib/billing/ports.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import type { LogFields } from '../../lib/log/logger.ts'
import { fakeBilling } from './fakeBilling.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot, subscription, userId } from './fixtures.ts'
import { checkoutContext, memoryRecords } from './memoryRecords.ts'

const coupon = { id: 'coupon-1', code: 'CODE', userId }
const mine = pendingSlot({ coupon })
const unknown = { kind: 'unknown', saved: false } as const
const ok = <Value>(value: Value) => ({ kind: 'ok', value, replayed: false }) as const
const purchase = { organizationId, product: 'ota', n: 1 }
const declined = subscription({
  status: 'incomplete',
  invoicePaid: false,
  firstPayment: { kind: 'declined', declineCode: 'expired_card' },
})

interface World {
  gateway: Partial<PaymentGateway>
  standing?: Slot
  commit?: Error
  customer?: boolean
  old?: boolean
}

/** Carries `mine` out, where the gateway answers so; `old` looks a purchase up that can no longer arrive. */
async function play({ gateway, standing = mine, commit, customer = false, old = false }: World) {
  const records = memoryRecords([standing])
  const logged: [string, LogFields | undefined][] = []
  const forgotten: string[] = []
  const log = (message: string, fields?: LogFields) => logged.push([message, fields])
  const fake = fakeBilling({
    records: {
      commit: commit ? () => Promise.reject(commit) : records.commit,
      unbindCustomer: async (_, digest) => {
        forgotten.push(digest)
        return true
      },
    },
    gateway,
  })
  const context = checkoutContext({ ...fake, logger: { info: log, warn: log, error: log } })
  const account = { ...context.account, ...(customer && { customer: { cipher: 'c', digest: 'd' } }) }
  const line = { code: 'base_ota', slot: old ? longAgo(mine) : mine, mode: old ? 'look_up' : 'send' } as const
  const answer = await completePurchase({ ...context, account }, line, 'cus_1')
  return { answer, logged, forgotten, slot: records.slots()[0], committed: records.committed }
}

function longAgo(pending: Slot): Slot {
  return { ...pending, ...(pending.claim && { claim: { ...pending.claim, firstSent: 0, lastSent: 0 } }) }
}

describe('A purchase that is carried out', () => {
  it('is bought, and its coupon applied with it', async () => {
    const { answer, committed } = await play({ gateway: { createSubscription: async () => ok(subscription()) } })
    expect(answer).toMatchObject({ ok: true, productCode: 'base_ota', status: 'active' })
    expect(committed).toMatchObject([{ next: { state: 'active', rev: 4 }, redemption: { coupon, change: 'apply' } }])
  })

  it('frees its slot and gives its coupon back where it is refused', async () => {
    const refused = { kind: 'refused', reason: 'card_declined', declineCode: 'insufficient_funds' } as const
    const { answer, committed, forgotten } = await play({
      gateway: { createSubscription: async () => refused },
      customer: true,
    })
    expect(answer).toMatchObject({ error: 'card_declined', detail: 'The card has insufficient funds' })
    expect(committed).toMatchObject([
      { next: { state: 'none', rev: 4, n: 1 }, redemption: { coupon, change: 'release' } },
    ])
    expect(forgotten).toEqual([])
  })

  it('forgets a customer that is gone, after its slot is free', async () => {
    const refused = { kind: 'refused', reason: 'customer_missing' } as const
    const {
      answer,
      forgotten,
      slot: standing,
    } = await play({
      gateway: { createSubscription: async () => refused },
      customer: true,
    })
    expect(answer).toMatchObject({ error: 'gateway_refused' })
    expect([forgotten, standing?.state]).toEqual([['d'], 'none'])
  })

  it('stays pending without its lease where the outcome is unknown, and says so in the log', async () => {
    const { answer, committed, logged } = await play({ gateway: { createSubscription: async () => unknown } })
    expect(answer).toMatchObject({ error: 'gateway_unavailable' })
    expect(committed).toEqual([{ next: { ...mine, rev: 4, claim: { ...mine.claim, leaseUntil: 0 } } }])
    expect(logged).toEqual([['Purchase outcome unknown', purchase]])
  })

  it('is unknown where the store is away', async () => {
    const { answer, logged } = await play({
      gateway: { createSubscription: async () => ok(subscription()) },
      commit: new Error('away'),
    })
    expect(answer).toMatchObject({ error: 'gateway_unavailable' })
    expect(logged).toEqual([['Purchase not settled', { ...purchase, reason: 'Error' }]])
  })

  it('is unknown where another purchase holds its coupon, which no slot explains', async () => {
    const fake = fakeBilling({
      records: { commit: async () => ({ slots: [], couponTaken: true, customerForgotten: false }) },
      gateway: { createSubscription: async () => ok(subscription()) },
    })
    const reasons: unknown[] = []
    const error = (_: string, fields?: LogFields) => reasons.push(fields?.reason)
    const context = checkoutContext({ ...fake, logger: { ...fake.logger, error } })
    const answer = await completePurchase(context, { code: 'base_ota', slot: mine, mode: 'send' }, 'cus_1')
    expect(answer).toMatchObject({ error: 'gateway_unavailable' })
    expect(reasons).toEqual(['The coupon of this purchase is held by another one'])
  })
})

describe('A purchase that is looked up', () => {
  const nothing = { findSubscription: async () => ok(null) }

  it('is bought anew where it never arrived', async () => {
    const { answer } = await play({ gateway: nothing, old: true })
    expect(answer).toEqual({ released: slot({ state: 'none', rev: 4 }) })
  })

  it('is left to whoever else released it', async () => {
    const { answer } = await play({ gateway: nothing, old: true, standing: slot({ rev: 4 }) })
    expect(answer).toMatchObject({ error: 'checkout_in_progress' })
  })

  it('is bought anew where it has ended since', async () => {
    const ended = subscription({ status: 'canceled', endedAt: noon })
    const { answer, slot: standing } = await play({ gateway: { findSubscription: async () => ok(ended) }, old: true })
    expect(answer).toEqual({ released: standing })
    expect(standing).toMatchObject({ state: 'canceled', rev: 4 })
  })
})

describe('A declined purchase', () => {
  const gone = { kind: 'refused', reason: 'not_found' } as const
  const cancelledUnpaid = ok(subscription({ status: 'incomplete_expired', invoicePaid: false, endedAt: noon }))

  it.each([
    ['cancelled', cancelledUnpaid],
    ['gone already', gone],
  ] as const)('frees its slot once it is %s', async (_, cancelled) => {
    const { answer, committed } = await play({
      gateway: { createSubscription: async () => ok(declined), cancelNow: async () => cancelled },
    })
    expect(answer).toMatchObject({ error: 'card_declined', detail: 'The card has expired' })
    expect(committed).toMatchObject([{ next: { state: 'none' }, redemption: { change: 'release' } }])
  })

  it.each([unknown, { kind: 'refused', reason: 'other' }] as const)(
    'keeps its slot where the cancellation comes to %j',
    async (cancelled) => {
      const { answer, slot: standing } = await play({
        gateway: { createSubscription: async () => ok(declined), cancelNow: async () => cancelled },
      })
      expect(answer).toMatchObject({ error: 'gateway_unavailable' })
      expect(standing).toMatchObject({ state: 'pending', claim: { leaseUntil: 0 } })
    },
  )
})

describe('A purchase whose slot somebody else wrote', () => {
  const remembered = liveSlot().subscription
  const another = remembered && { ...remembered, id: 'sub_2' }
  const withAnother = (standing: Slot) => ({ ...standing, ...(another && { subscription: another }) })
  const withMine = (standing: Slot) => ({ ...standing, ...(remembered && { subscription: remembered }) })

  it.each([
    ['another purchase that holds it', withAnother(liveSlot({ n: 2, rev: 9 })), 'already_subscribed', true],
    [
      'another purchase that has ended',
      withAnother(slot({ state: 'canceled', n: 2, rev: 9 })),
      'gateway_unavailable',
      true,
    ],
    ['a next purchase under way', pendingSlot({ n: 2, rev: 6 }), 'already_subscribed', true],
    ['its own end', withMine(slot({ state: 'canceled', rev: 5 })), 'gateway_unavailable', false],
    ['its release', slot({ state: 'none', rev: 5 }), 'gateway_unavailable', false],
    [
      'its own end, forgotten by none',
      withMine(slot({ state: 'canceled', n: 2, rev: 5 })),
      'gateway_unavailable',
      false,
    ],
    ['another one under its number', withAnother(liveSlot({ rev: 5 })), 'already_subscribed', true],
  ] as const)('beside %s', async (_, standing, error, removed) => {
    const calls: string[] = []
    const { answer, slot: left } = await play({
      standing,
      gateway: {
        createSubscription: async () => ok(subscription()),
        refundSubscription: async (id) => {
          calls.push(`refund ${id}`)
          return ok(null)
        },
        cancelNow: async (id) => {
          calls.push(`cancel ${id}`)
          return ok(subscription({ id, status: 'canceled' }))
        },
      },
    })
    expect(answer).toMatchObject({ ok: false, error })
    expect(calls).toEqual(removed ? ['refund sub_1', 'cancel sub_1'] : [])
    expect(left).toEqual(standing)
  })

  it('removes nothing that has ended by itself', async () => {
    const ended = subscription({ status: 'canceled', endedAt: noon })
    const gateway = { createSubscription: async () => ok(ended) }
    const { answer } = await play({ standing: withAnother(liveSlot({ n: 2, rev: 9 })), gateway })
    expect(answer).toMatchObject({ error: 'already_subscribed' })
  })
})
