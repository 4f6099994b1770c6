import { describe, expect, it } from '@jest/globals'
import { planLine } from '../../../lib/billing/checkout/planCart.ts'
import type { GatewaySubscription, SubscriptionState } from '../../../lib/billing/gateway/subscription.ts'
import { beforeFetch, project } from '../../../lib/billing/slot/projection.ts'
import {
  type Claim,
  claimed,
  leaseReleased,
  leaseTakenOver,
  released,
  type Slot,
} from '../../../lib/billing/slot/slot.ts'
import { toSubscription } from '../../../lib/billing/slot/slotChange.ts'
import { ATTEMPT, BUDGET, LEASE, LEASE_MARGIN, QUIET_PERIOD, REPLAY_WINDOW } from '../../../lib/billing/timing.ts'
import * as fixtures from '../../billing/fixtures.ts'
import { explore } from './explore.ts'
import * as model from './slot/slotDecisions.ts'
import { slotProtocol } from './slot/slotProtocol.ts'
import { statusOf } from './slot/slotRuns.ts'
import type * as modelState from './slot/slotState.ts'
import {
  FLIGHT,
  isLive,
  KEY_KEPT,
  REPLAY_WINDOW as MODEL_REPLAY_WINDOW,
  type Status,
  type Subscription,
} from './slot/slotState.ts'

const nowMs = (fixtures.noon + 3600) * 1000
const HOUR = 3_600_000

/** Every slot that the model reaches with every subscription that it reaches, whether they can meet or not. */
function reached() {
  const subscriptions = new Map<string, { sub: number; subscription: Subscription }>()
  const found = new Map<string, modelState.Slot>()
  const protocol = slotProtocol({ workers: 3, hooks: 1, cancels: 1, changes: 0, faults: 1, ticks: 3, hands: 0 })
  explore(
    {
      ...protocol,
      violation({ slot, subs }) {
        found.set(slot.code, slot)
        subs.forEach((subscription, sub) => {
          const { n, history } = subscription
          subscriptions.set(`${sub}${n}${history}`, { sub, subscription })
        })
        return undefined
      },
    },
    60_000,
  )
  const all = [...found.values()]
  return { slots: all, pairs: all.flatMap((slot) => [...subscriptions.values()].map((other) => ({ slot, ...other }))) }
}

const { pairs, slots } = reached()

function subscriptionState(status: Status): SubscriptionState {
  if (status === 'ended') return 'canceled'
  return isLive(status) ? 'active' : 'incomplete'
}

/** The clock of the gateway when it had made that many changes. */
const clockAt = (changes: number) => fixtures.noon + 10 * changes

function realSubscription(sub: number, { n, history }: Subscription, status: Status): GatewaySubscription {
  return {
    ...fixtures.subscription({ id: `sub_${sub}`, status: subscriptionState(status) }),
    purchase: { ...purchaseOf(fixtures.subscription()), n },
    wasPaid: history.includes('live'),
    payment: status === 'declined' ? { kind: 'declined', declineCode: null } : { kind: 'none' },
    coveredUntil: clockAt(history.length),
  }
}

function purchaseOf({ purchase }: GatewaySubscription) {
  if (!purchase) throw new Error('The fixture is a purchase')
  return purchase
}

function realSlot({ state, n, rev, leased, sub, seen, covered }: modelState.Slot): Slot {
  const status = subscriptionState(seen)
  const dates = { currentPeriodEnd: null, cancelAt: null, endedAt: null, coveredUntil: clockAt(covered) }
  const known: Partial<Slot> = { n, rev, ...(sub >= 0 && { subscription: { id: `sub_${sub}`, status, ...dates } }) }
  if (state === 'pending') {
    return fixtures.slot({ ...known, state, claim: { ...realClaim(), leaseUntil: leased ? nowMs + 1 : 0 } })
  }
  if (state === 'free') return fixtures.slot({ ...known, state: sub < 0 ? 'none' : 'canceled' })
  return fixtures.slot({ ...known, state: status === 'active' ? 'active' : 'incomplete' })
}

function realClaim(): Claim {
  const { claim } = fixtures.pendingSlot()
  if (!claim) throw new Error('A pending slot has a claim')
  return claim
}

/** What the model knows of a slot of the code. */
function facts({ state, n, rev, subscription }: Slot) {
  const free = state === 'none' || state === 'canceled'
  return {
    state: state === 'pending' ? 'pending' : free ? 'free' : 'held',
    n,
    rev,
    sub: Number(subscription?.id.slice('sub_'.length) ?? -1),
  }
}

const modelFacts = ({ state, n, rev, sub }: modelState.Slot) => ({ state, n, rev, sub })

function realEvent(sub: number, subscription: Subscription, event: number) {
  const ends = subscription.history[event - 1] === 'ended' && subscription.history[event - 2] === 'live'
  const changes = event === 1 ? 'created' : ends ? 'deleted' : 'updated'
  const { customerId, purchase } = realSubscription(sub, subscription, statusOf(subscription))
  const type = `customer.subscription.${changes}` as const
  return {
    kind: 'subscription',
    type,
    created: clockAt(event),
    subscriptionId: `sub_${sub}`,
    customerId,
    purchase,
  } as const
}

describe('The decisions of the model', () => {
  it('are compared with those of the code in many states', () => {
    expect(slots.length).toBeGreaterThan(40)
    expect(pairs.length).toBeGreaterThan(500)
  })

  it('make the same of every fetched subscription as the code does', () => {
    for (const { slot, sub, subscription } of pairs) {
      const status = statusOf(subscription)
      const { n, history: changes } = subscription
      const latest = { sub, n, status, covered: changes.length, paid: changes.includes('live') }
      for (const owns of [undefined, 'live', 'incomplete', 'ended'] as const) {
        const history = owns === 'ended' ? (['live', 'ended'] as const) : owns ? [owns] : []
        const own = owns && { sub: slot.sub, n: slot.n, status: owns, covered: history.length }
        const realOwn = own && realSubscription(slot.sub, { ...subscription, n: slot.n, history }, own.status)
        const expected = model.project(slot, latest, new Set(), own)
        const actual = project(realSlot(slot), realSubscription(sub, subscription, status), nowMs, realOwn)
        const next = actual.kind === 'write' ? facts(actual.change.next) : actual.kind
        expect(next).toEqual(typeof expected === 'string' ? expected : modelFacts(expected))
      }
    }
  })

  it('ask the gateway about the same events as the code does', () => {
    for (const { slot, sub, subscription } of pairs) {
      for (let event = 1; event <= subscription.history.length; event += 1) {
        const expected = model.beforeFetch(slot, sub, event, subscription)
        const actual = beforeFetch(realSlot(slot), realEvent(sub, subscription, event))
        const allowed = {
          fetch: ['fetch'],
          ignore: ['already_ended', 'older_subscription'],
          // The model takes either way: within two seconds the clock does not decide.
          'maybe covered': ['covered', 'fetch'],
        }
        expect(allowed[expected]).toContain(actual)
      }
    }
  })

  it('take the same step from every slot as the code does, and write the same', () => {
    for (const slot of slots) {
      const real = realSlot(slot)
      const step = planLine('base_ota', real, nowMs).kind
      if (slot.state === 'free') {
        expect(step).toBe('claim')
        expect(facts(claimed(real, realClaim()))).toEqual(modelFacts(model.claimed(slot, 1)))
      } else if (slot.state === 'held') {
        expect(step).toBe(slot.seen === 'live' ? 'answered' : 'pay_incomplete')
      } else {
        expect(step).toBe(slot.leased ? 'answered' : 'take_over')
        expect(facts(leaseTakenOver(real, realClaim()))).toEqual(modelFacts(model.takenOver(slot, 1, true)))
        expect(facts(leaseReleased(real))).toEqual(modelFacts(model.leaseReleased(slot)))
        expect(facts(released(real))).toEqual(modelFacts(model.released(slot)))
      }
    }
  })

  it('settle a subscription as the code does', () => {
    for (const { slot, sub, subscription } of pairs) {
      const status = statusOf(subscription)
      const { n, history } = subscription
      const seen = { sub, n, status, covered: history.length, paid: history.includes('live') }
      const { next } = toSubscription(realSlot(slot), realSubscription(sub, subscription, status), nowMs)
      expect(facts(next)).toEqual(modelFacts(model.settledOn(slot, seen)))
    }
  })
})

describe('The margins', () => {
  it('are in the same order in the model and in the code', () => {
    expect(2 * ATTEMPT).toBeLessThan(BUDGET)
    expect(BUDGET).toBeLessThan(LEASE - LEASE_MARGIN)
    expect(LEASE).toBeLessThan(QUIET_PERIOD)
    expect(QUIET_PERIOD).toBeLessThan(REPLAY_WINDOW)
    expect(REPLAY_WINDOW + QUIET_PERIOD).toBeLessThan(24 * HOUR)
    expect(FLIGHT).toBeLessThan(MODEL_REPLAY_WINDOW)
    // A request that was replayed at the last moment still meets the key that the first one left.
    expect(MODEL_REPLAY_WINDOW - 1 + FLIGHT).toBeLessThan(KEY_KEPT)
  })
})
