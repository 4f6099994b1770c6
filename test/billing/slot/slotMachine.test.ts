import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { planLine } from '../../../lib/billing/checkout/planCart.ts'
import { subscriptionStateSchema } from '../../../lib/billing/gateway/subscription.ts'
import { project } from '../../../lib/billing/slot/projection.ts'
import { leaseReleased, leaseTakenOver, released, type Slot, type SlotState } from '../../../lib/billing/slot/slot.ts'
import { liveSlot, noon, pendingSlot, slot, subscription } from '../fixtures.ts'

const held: readonly SlotState[] = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused']
const afterLease = (noon + 60) * 1000
const statuses = subscriptionStateSchema.options

/** A slot in every state, `pending` both as a first purchase and as one after an ended subscription. */
const everySlot: Slot[] = [
  slot({ state: 'none', n: 0 }),
  { ...liveSlot({ state: 'canceled' }), subscription: { ...snapshot(), id: 'sub_0', status: 'canceled' } },
  pendingSlot(),
  pendingSlot({ subscription: { ...snapshot(), id: 'sub_0', status: 'canceled' } }),
  ...held.map((state) => liveSlot({ state })),
]

function snapshot() {
  const { subscription: known } = liveSlot()
  if (!known) throw new Error('A live slot knows its subscription')
  return known
}

/** The states that every step which the code allows from this slot leads to. */
function stepsFrom(from: Slot): SlotState[] {
  const claims = planLine('base_ota', from, afterLease).kind === 'claim' ? (['pending'] as const) : []
  const purchaseSteps =
    from.state === 'pending' && from.claim
      ? [leaseTakenOver(from, from.claim), leaseReleased(from), released(from)].map(({ state }) => state)
      : []
  const projections = statuses.flatMap((status) => {
    const projection = project(from, subscription({ status }), afterLease)
    return projection.kind === 'write' ? [projection.change.next.state] : []
  })
  return [...claims, ...purchaseSteps, ...projections]
}

/** The drawing has one name for all states that hold a subscription. */
const statesOf = (name: string): readonly string[] => (name === 'held' ? held : [name])

function drawnEdges(): Set<string> {
  const drawing = readFileSync(new URL('../../../infra/decisions/slot.md', import.meta.url), 'utf8')
  const edges = [...drawing.matchAll(/^ {4}(\w+) --> (\w+)/gm)].map(([, from = '', to = '']) => ({ from, to }))
  return new Set(
    edges.flatMap(({ from, to }) =>
      statesOf(from).flatMap((state) => statesOf(to).map((next) => `${state} --> ${next}`)),
    ),
  )
}

describe('The state machine of a slot', () => {
  it('takes exactly the steps that are drawn in infra/decisions/slot.md', () => {
    const taken = new Set(everySlot.flatMap((from) => stepsFrom(from).map((to) => `${from.state} --> ${to}`)))
    expect([...taken].sort()).toEqual([...drawnEdges()].sort())
  })

  it('raises the fence by one with every projection, and never lowers the purchase number', () => {
    for (const from of everySlot) {
      for (const status of statuses) {
        const projection = project(from, subscription({ status }), afterLease)
        if (projection.kind !== 'write') continue
        expect(projection.change.next.rev).toBe(from.rev + 1)
        expect(projection.change.next.n).toBeGreaterThanOrEqual(from.n)
      }
    }
  })
})
