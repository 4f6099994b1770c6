import { describe, expect, it } from '@jest/globals'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import type { CallLimits, PaymentGateway, PurchaseKey } from '../../lib/billing/ports.ts'
import type { Claim } from '../../lib/billing/slot.ts'
import { type PurchaseMode, submitPurchase } from '../../lib/billing/submitPurchase.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import { fakeBilling } from './fakeBilling.ts'
import { noon, organizationId, pendingSlot, subscription, userId } from './fixtures.ts'

const now = noon * 1000
const HOUR = 3_600_000
const MINUTE = 60_000
const deadline = now + 25_000

const claim: Claim = {
  owner: 'w',
  leaseUntil: now + 45_000,
  firstSent: now,
  lastSent: now,
  frozenRequest: '{"a":1}',
  userId,
}
const ok = (value = subscription(), replayed = false) => ({ kind: 'ok', value, replayed }) as const
const none = { kind: 'ok', value: null, replayed: false } as const
const unknown = { kind: 'unknown', saved: false } as const
const saved = { kind: 'unknown', saved: true } as const

function outcomeOf(mode: PurchaseMode, gateway: Partial<PaymentGateway>, change: Partial<Claim> = {}) {
  const slot = pendingSlot({ claim: { ...claim, ...change } })
  return submitPurchase(fakeBilling({ gateway }), { slot, mode }, 'cus_1', deadline)
}

/** The outcome of a purchase that was last sent and first sent so long ago, when the list gives this answer. */
function lookedUp(found: GatewayAnswer<GatewaySubscription | null>, first: number, last: number) {
  const change = { firstSent: now - first, lastSent: now - last }
  return outcomeOf('look_up', { findSubscription: async () => found }, change)
}

describe('A purchase that is sent', () => {
  it.each([
    ['send', false],
    ['replay', true],
  ] as const)('has the frozen request, the key of its claim and the limits of its lease: %s', async (mode, resend) => {
    const sent: [string, string, string, CallLimits][] = []
    const createSubscription: PaymentGateway['createSubscription'] = async (...call) => {
      sent.push(call)
      return ok()
    }
    expect(await outcomeOf(mode, { createSubscription })).toEqual({
      kind: 'subscription',
      subscription: subscription(),
    })
    const limits = { sendUntil: now + 35_000, answerBy: deadline, resend }
    expect(sent).toEqual([['{"a":1}', 'cus_1', `sub:${organizationId}:ota:1`, limits]])
  })

  it('is fetched anew where the answer is a replayed one', async () => {
    const latest = subscription({ status: 'past_due', asOf: noon + 9 })
    const fetched: string[] = []
    const gateway: Partial<PaymentGateway> = {
      createSubscription: async () => ok(subscription(), true),
      fetchSubscription: async (id) => {
        fetched.push(id)
        return ok(latest)
      },
    }
    expect(await outcomeOf('replay', gateway)).toEqual({ kind: 'subscription', subscription: latest })
    expect(fetched).toEqual(['sub_1'])
  })

  it.each([unknown, { kind: 'refused', reason: 'not_found' }] as const)(
    'is unknown where a replayed answer cannot be fetched anew: %j',
    async (fetched) => {
      const gateway = {
        createSubscription: async () => ok(subscription(), true),
        fetchSubscription: async () => fetched,
      }
      expect(await outcomeOf('replay', gateway)).toEqual({ kind: 'unknown' })
    },
  )

  it('is refused with the gateway’s reason', async () => {
    const refused = { kind: 'refused', reason: 'card_declined', declineCode: 'expired_card' } as const
    expect(await outcomeOf('send', { createSubscription: async () => refused })).toEqual(refused)
  })

  it('is unknown where the gateway’s answer is, and nothing else is asked', async () => {
    expect(await outcomeOf('send', { createSubscription: async () => unknown })).toEqual({ kind: 'unknown' })
  })

  it('is looked up where a failure is stored under its key, which could only be repeated', async () => {
    const asked: [string, PurchaseKey][] = []
    const gateway: Partial<PaymentGateway> = {
      createSubscription: async () => saved,
      findSubscription: async (...call) => {
        asked.push(call)
        return ok()
      },
    }
    expect(await outcomeOf('send', gateway)).toEqual({ kind: 'subscription', subscription: subscription() })
    expect(asked).toEqual([['cus_1', { organization_id: organizationId, plan_code: 'base_ota', n: 1 }]])
  })

  it('is unknown without a claim, and nothing is sent', async () => {
    const { claim: _, ...slot } = pendingSlot()
    expect(await submitPurchase(fakeBilling({}), { slot, mode: 'send' }, 'cus_1', deadline)).toEqual({
      kind: 'unknown',
    })
  })
})

describe('A purchase that is looked up', () => {
  it.each([
    ['is absent 20 h after the first and 15 min after the last sending', none, 20 * HOUR, 15 * MINUTE + 1, 'absent'],
    ['may still be replayed before 20 h', none, 20 * HOUR - 1, 16 * MINUTE, 'unknown'],
    ['may still arrive until 15 min are over', none, 20 * HOUR, 15 * MINUTE, 'unknown'],
    ['is absent where its customer is gone', refusedFor('customer_missing'), 30 * HOUR, HOUR, 'absent'],
    ['is unknown where the list is refused', refusedFor('other'), 30 * HOUR, HOUR, 'unknown'],
    ['is unknown where the list is not answered', unknown, 30 * HOUR, HOUR, 'unknown'],
    ['is found at any age', ok(), 30 * HOUR, 0, 'subscription'],
  ] as const)('%s', async (_, found, first, last, kind) => {
    expect(await lookedUp(found, first, last)).toMatchObject({ kind })
  })
})

function refusedFor(reason: 'customer_missing' | 'other') {
  return { kind: 'refused', reason } as const
}
