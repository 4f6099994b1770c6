import { describe, expect, it } from '@jest/globals'
import { cancel } from '../../lib/billing/cancel.ts'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import { emptySlot, type Slot } from '../../lib/billing/slot.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import type { Role } from '../../lib/organizations/ports.ts'
import { fakeBilling } from './fakeBilling.ts'
import {
  account,
  liveSlot,
  noon,
  ok,
  organizationId,
  pendingSlot,
  slot,
  subscription,
  unknown,
  userId,
} from './fixtures.ts'
import { memoryRecords } from './memoryRecords.ts'

type Answer = GatewayAnswer<GatewaySubscription>
const notFound: Answer = { kind: 'refused', reason: 'not_found' }
const ended = subscription({ status: 'canceled', endedAt: noon + 9, asOf: noon + 9 })
const scheduled = subscription({ cancelAt: noon + 86_400, asOf: noon + 9 })

interface Given {
  /** In the store when the record is written. */
  stored?: Slot
  /** What the first read returns, where it is another slot. */
  read?: Slot
  answer?: Answer
  latest?: Answer
  atPeriodEnd?: boolean
  role?: Role | undefined
  /** What other writers write before each of our writes. */
  overtakenBy?: readonly Slot[]
}

async function cancelGiven({ stored = liveSlot(), answer = ok(ended), latest = unknown, ...rest }: Given) {
  const records = memoryRecords([stored])
  const calls: string[] = []
  const overtakers = [...(rest.overtakenBy ?? [])]
  const recorded = (name: string, given: Answer) => async (id: string) => {
    calls.push(`${name} ${id}`)
    return given
  }
  const deps = fakeBilling({
    records: {
      read: async () => ({
        role: 'role' in rest ? rest.role : 'owner',
        account,
        slots: [emptySlot(organizationId, 'monitoring'), rest.read ?? stored],
      }),
      commit: async (changes) => {
        const next = overtakers.shift()
        if (next) await records.commit([{ next }])
        return records.commit(changes)
      },
    },
    gateway: {
      cancelNow: recorded('now', answer),
      cancelAtPeriodEnd: recorded('at period end', answer),
      fetchSubscription: recorded('fetch', latest),
    },
  })
  const { atPeriodEnd = false } = rest
  const result = await cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd }).catch(
    (error: unknown) => error,
  )
  return { result, calls, slot: records.slots()[0], tries: records.tries }
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

    it('ends an incomplete subscription at once, which has no paid period', async () => {
      const { calls } = await cancelGiven({ stored: liveSlot({ state: 'incomplete' }), atPeriodEnd: true })
      expect(calls).toEqual(['now sub_1'])
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

  describe('Given other writers that write the slot first', () => {
    const older = (rev: number, gatewayClock = noon): Slot => {
      const { subscription: known, ...rest } = liveSlot({ rev })
      return { ...rest, ...(known && { subscription: { ...known, gatewayClock } }) }
    }

    it('overwrites an older projection of its subscription, in up to three tries', async () => {
      expect(await cancelGiven({ overtakenBy: [older(4), older(5)] })).toMatchObject({
        slot: { state: 'canceled', rev: 6 },
        tries: 5,
      })
      const lost = await cancelGiven({ overtakenBy: [older(4), older(5), older(6), older(7)] })
      expect(lost).toMatchObject({
        result: canceledAt(noon + 9),
        slot: { state: 'active', rev: 6 },
        tries: 6,
      })
    })

    it.each([
      ['as new', noon + 9, 'canceled'],
      ['newer', noon + 10, 'active'],
    ])('overwrites a projection that is %s only where its own is not older', async (_, clock, state) => {
      expect((await cancelGiven({ overtakenBy: [older(4, clock)] })).slot).toMatchObject({ state })
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
