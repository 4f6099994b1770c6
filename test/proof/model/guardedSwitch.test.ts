import { describe, expect, it } from '@jest/globals'
import { explore } from './explore.ts'
import { switchGuards } from './guards.ts'
import { guardedSwitches, switchRemovals } from './removedGuards.ts'
import { boundsText, report } from './report.ts'
import { switchProtocol } from './switchProtocol.ts'

describe('The switch between gateways with all of its guards', () => {
  it.each(guardedSwitches.map((row) => [boundsText(row.bounds), row] as const))(
    'holds every slot at the account’s gateway, on the terms of its claim, in every state: %s',
    (title, { bounds }) => {
      const exploration = explore(switchProtocol(bounds))
      report(title, exploration)
      expect(exploration).toMatchObject({ complete: true, violation: undefined })
    },
  )
})

describe('The switch between gateways without one of its guards', () => {
  it.each(switchGuards)('goes wrong without "%s"', (guard) => {
    const { bounds, kind } = switchRemovals[guard]
    const exploration = explore(switchProtocol(bounds, [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(kind)
  })

  it.each(switchGuards)('goes wrong within bounds in which all guards hold: "%s"', (guard) => {
    const { workers, switches } = switchRemovals[guard].bounds
    const within = guardedSwitches.some(({ bounds }) => workers <= bounds.workers && switches <= bounds.switches)
    expect(within).toBe(true)
  })
})
