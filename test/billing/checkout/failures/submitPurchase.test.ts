import { describe, expect, it } from '@jest/globals'
import type { PurchaseMode } from '../../../../lib/billing/checkout/holdSlot.ts'
import { submitPurchase } from '../../../../lib/billing/checkout/submitPurchase.ts'
import type { GatewayAnswer } from '../../../../lib/billing/gateway/gatewayAnswer.ts'
import type { CallLimits, PurchaseKey } from '../../../../lib/billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../../../../lib/billing/gateway/subscription.ts'
import type { Claim } from '../../../../lib/billing/slot/slot.ts'
import { fakeBilling } from '../../fakeBilling.ts'
import { claimAt, claimedLine, noon, ok, organizationId, pendingSlot, subscription, unknown } from '../../fixtures.ts'
import type { GatewayCalls } from '../../gatewayCalls.ts'

const now = noon * 1000
const HOUR = 3_600_000
const MINUTE = 60_000
const deadline = now + 25_000

const claim = claimAt(now, { frozenRequest: '{"a":1}' })
const replayed = { ...ok(subscription()), replayed: true } as const
const saved = { kind: 'unknown', saved: true } as const

function outcomeOf(mode: PurchaseMode, gateway: Partial<GatewayCalls>, change: Partial<Claim> = {}) {
  const slot = pendingSlot({ claim: { ...claim, ...change } })
  const line = claimedLine({ slot, mode, sentBefore: now - HOUR })
  return submitPurchase(fakeBilling({ gateway }), line, 'cus_1', deadline)
}

type Found = GatewayAnswer<GatewaySubscription | null>

/** The outcome of looking up a purchase that was sent so many milliseconds ago. */
function lookedUp(found: Found, age: number, savedAge?: number) {
  const claimedThen = { lastSent: now - age, ...(savedAge !== undefined && { savedAt: now - savedAge }) }
  return outcomeOf('look_up', { findSubscription: async () => found }, claimedThen)
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
        const createSubscription: GatewayCalls['createSubscription'] = async (...call) => {
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
      const latest = subscription({ status: 'past_due', coveredUntil: noon + 9 })
      const fetched: string[] = []
      const gateway: Partial<GatewayCalls> = {
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
      const asked: [string, PurchaseKey, string][] = []
      const gateway: Partial<GatewayCalls> = {
        createSubscription: async () => saved,
        findSubscription: async (...call) => {
          asked.push(call)
          return ok(subscription())
        },
      }
      expect(await outcomeOf('send', gateway)).toEqual({ kind: 'subscription', subscription: subscription() })
      const purchase1 = { organization_id: organizationId, plan_code: 'base_ota', n: 1 }
      expect(asked).toEqual([['cus_1', purchase1, '{"a":1}']])
    })

    it('returns an unknown outcome for a slot without a claim, and sends nothing', async () => {
      const { claim: _, ...slot } = pendingSlot()
      expect(await submitPurchase(fakeBilling({}), claimedLine({ slot }), 'cus_1', deadline)).toEqual({
        kind: 'unknown',
      })
    })
  })

  describe('Given a sending of which no attempt was executed', () => {
    const rejected = { ...unknown, notExecuted: true } as const
    const createSubscription = async () => rejected

    it('ends a new purchase without asking more', async () => {
      expect(await outcomeOf('send', { createSubscription })).toEqual({
        kind: 'not_executed',
        error: 'gateway_unavailable',
      })
    })

    it.each<[string, Found, number, object]>([
      ['finds an earlier one', ok(subscription()), 0, { kind: 'subscription', subscription: subscription() }],
      ['is absent 15 min after the earlier one', ok(null), 15 * MINUTE + 1, { kind: 'absent' }],
      ['does not know before that', ok(null), 15 * MINUTE, { kind: 'unknown', notExecuted: true }],
      ['does not know without the list', unknown, HOUR, { kind: 'unknown', notExecuted: true }],
    ])('looks a replayed purchase up, which %s', async (_, found, age, outcome) => {
      const gateway = { createSubscription, findSubscription: async () => found }
      const line = claimedLine({ slot: pendingSlot({ claim }), mode: 'replay', sentBefore: now - age })
      expect(await submitPurchase(fakeBilling({ gateway }), line, 'cus_1', deadline)).toEqual(outcome)
    })
  })

  describe('Given a failure that is stored under the key', () => {
    it('does not take an empty list for the end of it', async () => {
      const gateway = { createSubscription: async () => saved, findSubscription: async () => ok(null) }
      const sentLongAgo = { lastSent: now - 30 * HOUR }
      expect(await outcomeOf('replay', gateway, sentLongAgo)).toEqual({ kind: 'unknown', saved: true })
    })
  })

  describe('Given a purchase that is looked up', () => {
    it.each<[string, Found, number, number | undefined, string]>([
      ['finds it absent 15 min after the last sending', ok(null), 15 * MINUTE + 1, undefined, 'absent'],
      ['does not know until then, while it may still arrive', ok(null), 15 * MINUTE, undefined, 'unknown'],
      ['finds it absent 20 h after a stored failure was seen', ok(null), 30 * HOUR, 20 * HOUR, 'absent'],
      ['does not know until then, while it may be rolled forward', ok(null), 30 * HOUR, 20 * HOUR - 1, 'unknown'],
      ['does not know where the list is refused', refusedFor('other'), HOUR, undefined, 'unknown'],
      ['does not know where the list is not answered', unknown, HOUR, undefined, 'unknown'],
      ['finds it at any age', ok(subscription()), 0, 0, 'subscription'],
    ])('%s', async (_, found, age, savedAge, kind) => {
      expect(await lookedUp(found, age, savedAge)).toMatchObject({ kind })
    })

    it.each<[string, GatewayAnswer<{ deleted: boolean }>, string]>([
      ['absent where the gateway shows it as deleted', ok({ deleted: true }), 'absent'],
      ['unknown where it is not deleted', ok({ deleted: false }), 'unknown'],
      ['unknown where the gateway does not show it', refusedFor('other'), 'unknown'],
    ])('finds a purchase whose customer the list refuses %s', async (_, deleted, kind) => {
      const gateway = {
        findSubscription: async () => refusedFor('customer_missing'),
        fetchCustomer: async () => deleted,
      }
      expect(await outcomeOf('look_up', gateway, { lastSent: now - HOUR })).toEqual({ kind })
    })
  })
})

function refusedFor(reason: 'customer_missing' | 'other') {
  return { kind: 'refused', reason } as const
}
