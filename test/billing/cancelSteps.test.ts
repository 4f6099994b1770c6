import { describe, expect, it } from '@jest/globals'
import { cancel } from '../../lib/billing/cancel.ts'
import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import { emptySlot, type Slot } from '../../lib/billing/slot.ts'
import type { GatewaySubscription } from '../../lib/billing/subscription.ts'
import type { Role } from '../../lib/organizations/ports.ts'
import { fakeBilling } from './fakeBilling.ts'
import { liveSlot, noon, organizationId, pendingSlot, slot, subscription, userId } from './fixtures.ts'
import { memoryRecords } from './memoryRecords.ts'

type Answer = GatewayAnswer<GatewaySubscription>
const ok = (value: GatewaySubscription): Answer => ({ kind: 'ok', value, replayed: false })
const unknown: Answer = { kind: 'unknown', saved: false }
const notFound: Answer = { kind: 'refused', reason: 'not_found' }
const ended = subscription({ status: 'canceled', endedAt: noon + 9, asOf: noon + 9 })
const scheduled = subscription({ cancelAt: noon + 86_400, asOf: noon + 9 })

interface World {
  standing?: Slot
  read?: Slot
  answer?: Answer
  latest?: Answer
  atPeriodEnd?: boolean
  role?: Role | undefined
  /** What somebody else writes before each of our writes. */
  overtakenBy?: readonly Slot[]
}

async function play({ standing = liveSlot(), answer = ok(ended), latest = unknown, ...rest }: World) {
  const records = memoryRecords([standing])
  const calls: string[] = []
  const account = { organizationId, createdAt: '2026-01-01T00:00:00Z', customerRev: 0 }
  const overtakers = [...(rest.overtakenBy ?? [])]
  const noted = (name: string, given: Answer) => async (id: string) => {
    calls.push(`${name} ${id}`)
    return given
  }
  const deps = fakeBilling({
    records: {
      read: async () => ({
        role: 'role' in rest ? rest.role : 'owner',
        account,
        slots: [emptySlot(organizationId, 'monitoring'), rest.read ?? standing],
      }),
      commit: async (changes) => {
        const next = overtakers.shift()
        if (next) await records.commit([{ next }])
        return records.commit(changes)
      },
    },
    gateway: {
      cancelNow: noted('now', answer),
      cancelAtPeriodEnd: noted('at period end', answer),
      fetchSubscription: noted('fetch', latest),
    },
  })
  const { atPeriodEnd = false } = rest
  const result = await cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd }).catch(
    (error: unknown) => error,
  )
  return { result, calls, slot: records.slots()[0], tries: records.tries }
}

const canceledAt = (effectiveAt: number | null) => ({ status: 'canceled', effectiveAt })

describe('Cancelling', () => {
  it('ends a subscription at once and records it', async () => {
    const { result, calls, slot: left } = await play({})
    expect([result, calls]).toEqual([canceledAt(noon + 9), ['now sub_1']])
    expect(left).toMatchObject({ state: 'canceled', rev: 4, subscription: { endedAt: noon + 9 } })
  })

  it.each([
    [scheduled, noon + 86_400],
    [subscription({ currentPeriodEnd: noon + 60 }), noon + 60],
    [subscription({ currentPeriodEnd: null }), null],
  ])('schedules the end of the paid period %#', async (answer, effectiveAt) => {
    const { result, calls } = await play({ answer: ok(answer), atPeriodEnd: true })
    expect(result).toEqual({ status: 'cancellation_scheduled', effectiveAt })
    expect(calls).toEqual(['at period end sub_1'])
  })

  it('waits for no period that was never paid', async () => {
    const { calls } = await play({ standing: liveSlot({ state: 'incomplete' }), atPeriodEnd: true })
    expect(calls).toEqual(['now sub_1'])
  })

  it('answers the same for what has ended, and asks nothing', async () => {
    const { result, calls } = await play({ standing: endedSlot(noon) })
    expect([result, calls]).toEqual([canceledAt(noon), []])
    expect((await play({ standing: endedSlot(null) })).result).toEqual(canceledAt(null))
  })

  it.each([
    ['a purchase under way', { standing: pendingSlot() }, 'checkout_in_progress'],
    ['nothing bought', { standing: slot({ state: 'none' }) }, 'not_subscribed'],
    ['a product without a slot', { read: emptySlot(organizationId, 'remote_ssh') }, 'not_subscribed'],
    ['a member', { role: 'member' as const }, 'forbidden'],
    ['a stranger', { role: undefined }, 'organization_not_found'],
  ])('refuses for %s, and asks nothing', async (_, world: World, code) => {
    const { result, calls, tries } = await play(world)
    expect(result).toMatchObject({ code })
    expect([calls, tries]).toEqual([[], 0])
  })

  it.each([
    ['unknown', unknown, unknown, 'gateway_unavailable', ['now sub_1']],
    ['refused', { kind: 'refused', reason: 'other' }, unknown, 'gateway_refused', ['now sub_1']],
    ['not found and not fetched', notFound, unknown, 'gateway_unavailable', ['now sub_1', 'fetch sub_1']],
    ['not found twice', notFound, notFound, 'gateway_refused', ['now sub_1', 'fetch sub_1']],
    ['not found and live', notFound, ok(subscription()), 'gateway_refused', ['now sub_1', 'fetch sub_1']],
  ] as const)('records nothing where the gateway’s answer is %s', async (_, answer, latest, code, asked) => {
    const { result, calls, tries } = await play({ answer, latest })
    expect(result).toMatchObject({ code })
    expect([calls, tries]).toEqual([asked, 0])
  })

  it('records an end that the gateway had reached before', async () => {
    const { result, slot: left } = await play({ answer: notFound, latest: ok(ended) })
    expect(result).toEqual(canceledAt(noon + 9))
    expect(left?.state).toBe('canceled')
  })
})

describe('A cancellation that was overtaken', () => {
  const older = (rev: number, gatewayClock = noon): Slot => {
    const { subscription: known, ...rest } = liveSlot({ rev })
    return { ...rest, ...(known && { subscription: { ...known, gatewayClock } }) }
  }

  it('writes over an older projection of its subscription, up to three times', async () => {
    expect(await play({ overtakenBy: [older(4), older(5)] })).toMatchObject({
      slot: { state: 'canceled', rev: 6 },
      tries: 5,
    })
    const lost = await play({ overtakenBy: [older(4), older(5), older(6), older(7)] })
    expect(lost).toMatchObject({
      result: canceledAt(noon + 9),
      slot: { state: 'active', rev: 6 },
      tries: 6,
    })
  })

  it.each([
    ['as new', noon + 9, 'canceled'],
    ['newer', noon + 10, 'active'],
  ])('writes over a projection that is %s only where its own is not older', async (_, clock, state) => {
    expect((await play({ overtakenBy: [older(4, clock)] })).slot).toMatchObject({ state })
  })

  it.each([
    ['the end of its subscription', { ...endedSlot(noon), rev: 4 }],
    ['another subscription', otherSubscription()],
    ['a slot without one', slot({ rev: 4, state: 'none' })],
  ])('leaves %s alone', async (_, standing) => {
    const outcome = await play({ overtakenBy: [standing] })
    expect(outcome.result).toEqual(canceledAt(noon + 9))
    expect(outcome.slot).toEqual(standing)
    expect(outcome.tries).toBe(2)
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
