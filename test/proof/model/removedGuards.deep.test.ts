import { describe, expect, it } from '@jest/globals'
import { explore } from './explore.ts'
import { assumptions, slotGuards } from './guards.ts'
import { guardedSlots, slotRemovals } from './removedGuards.ts'
import { report } from './report.ts'
import { slotProtocol } from './slotProtocol.ts'

const removable = [...slotGuards, ...assumptions]

describe('The slot protocol without one of its guards, or of what it assumes of the gateway', () => {
  it.each(removable)('goes wrong without "%s"', (guard) => {
    const { bounds, kind } = slotRemovals[guard]
    const exploration = explore(slotProtocol(bounds, [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(kind)
  })

  it.each(removable)('goes wrong within bounds in which all guards hold: "%s"', (guard) => {
    const { workers, hooks, cancels, changes, faults, ticks, hands } = slotRemovals[guard].bounds
    const within = guardedSlots.some(
      ({ bounds }) =>
        workers <= bounds.workers &&
        hooks <= bounds.hooks &&
        cancels <= bounds.cancels &&
        changes <= bounds.changes &&
        faults <= bounds.faults &&
        ticks <= bounds.ticks &&
        hands <= bounds.hands,
    )
    expect(within).toBe(true)
  })
})
