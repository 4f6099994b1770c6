import { describe, expect, it } from '@jest/globals'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import type { CallLimits, PaymentGateway, PurchaseKey } from '../../lib/billing/ports.ts'
import type { Claim } from '../../lib/billing/slot.ts'
import { type PurchaseMode, submitPurchase } from '../../lib/billing/submitPurchase.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import { fakeBilling } from './fakeBilling.ts'
import { noon, ok, organizationId, pendingSlot, subscription, unknown, userId } from './fixtures.ts'

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
const replayed = { ...ok(subscription()), replayed: true } as const
const saved = { kind: 'unknown', saved: true } as const

function outcomeOf(mode: PurchaseMode, gateway: Partial<PaymentGateway>, change: Partial<Claim> = {}) {
  const slot = pendingSlot({ claim: { ...claim, ...change } })
  return submitPurchase(fakeBilling({ gateway }), { slot, mode }, 'cus_1', deadline)
}

/** The outcome of looking up a purchase that was sent first and last so many milliseconds ago. */
function lookedUp(found: GatewayAnswer<GatewaySubscription | null>, first: number, last: number) {
  const change = { firstSent: now - first, lastSent: now - last }
  return outcomeOf('look_up', { findSubscription: async () => found }, change)
}

describe('submitPurchase', () => {
  describe('Given a purchase that is sent', () => {
    it.each([
      ['send', false],
      ['replay', true],
    ] as const)(
      'sends the frozen request, the key of its claim and the limits of its lease: %s',
      async (mode, resend) => {
        const sent: [string, string, string, CallLimits][] = []
        const createSubscription: PaymentGateway['createSubscription'] = async (...call) => {
          sent.push(call)
          return ok(subscription())
        }
        expect(await outcomeOf(mode, { createSubscription })).toEqual({
          kind: 'subscription',
          subscription: subscription(),
        })
        const limits = { sendUntil: now + 35_000, answerBy: deadline, resend }
        expect(sent).toEqual([['{"a":1}', 'cus_1', `sub:${organizationId}:ota:1`, limits]])
      },
    )

    it('fetches the subscription anew where the answer is a replayed one', async () => {
      const latest = subscription({ status: 'past_due', asOf: noon + 9 })
      const fetched: string[] = []
      const gateway: Partial<PaymentGateway> = {
        createSubscription: async () => replayed,
        fetchSubscription: async (id) => {
          fetched.push(id)
          return ok(latest)
        },
      }
      expect(await outcomeOf('replay', gateway)).toEqual({ kind: 'subscription', subscription: latest })
      expect(fetched).toEqual(['sub_1'])
    })

    it.each([unknown, { kind: 'refused', reason: 'not_found' }] as const)(
      'returns an unknown outcome where the subscription of a replayed answer cannot be fetched: %j',
      async (fetched) => {
        const gateway = {
          createSubscription: async () => replayed,
          fetchSubscription: async () => fetched,
        }
        expect(await outcomeOf('replay', gateway)).toEqual({ kind: 'unknown' })
      },
    )

    it('returns a refusal with the gateway’s reason', async () => {
      const refused = { kind: 'refused', reason: 'card_declined', declineCode: 'expired_card' } as const
      expect(await outcomeOf('send', { createSubscription: async () => refused })).toEqual(refused)
    })

    it('returns an unknown outcome for an unknown answer, and makes no other call', async () => {
      expect(await outcomeOf('send', { createSubscription: async () => unknown })).toEqual({ kind: 'unknown' })
    })

    it('looks the purchase up where a failure is saved under its key, which a retry could only repeat', async () => {
      const asked: [string, PurchaseKey][] = []
      const gateway: Partial<PaymentGateway> = {
        createSubscription: async () => saved,
        findSubscription: async (...call) => {
          asked.push(call)
          return ok(subscription())
        },
      }
      expect(await outcomeOf('send', gateway)).toEqual({ kind: 'subscription', subscription: subscription() })
      expect(asked).toEqual([['cus_1', { organization_id: organizationId, plan_code: 'base_ota', n: 1 }]])
    })

    it('returns an unknown outcome for a slot without a claim, and sends nothing', async () => {
      const { claim: _, ...slot } = pendingSlot()
      expect(await submitPurchase(fakeBilling({}), { slot, mode: 'send' }, 'cus_1', deadline)).toEqual({
        kind: 'unknown',
      })
    })
  })

  describe('Given a purchase that is looked up', () => {
    it.each([
      [
        'finds it absent 20 h after the first and 15 min after the last sending',
        ok(null),
        20 * HOUR,
        15 * MINUTE + 1,
        'absent',
      ],
      ['does not know before 20 h, while it may be replayed', ok(null), 20 * HOUR - 1, 16 * MINUTE, 'unknown'],
      ['does not know until 15 min are over, while it may still arrive', ok(null), 20 * HOUR, 15 * MINUTE, 'unknown'],
      ['finds it absent where its customer was deleted', refusedFor('customer_missing'), 30 * HOUR, HOUR, 'absent'],
      ['does not know where the list is refused', refusedFor('other'), 30 * HOUR, HOUR, 'unknown'],
      ['does not know where the list is not answered', unknown, 30 * HOUR, HOUR, 'unknown'],
      ['finds it at any age', ok(subscription()), 30 * HOUR, 0, 'subscription'],
    ] as const)('%s', async (_, found, first, last, kind) => {
      expect(await lookedUp(found, first, last)).toMatchObject({ kind })
    })
  })
})

function refusedFor(reason: 'customer_missing' | 'other') {
  return { kind: 'refused', reason } as const
}
