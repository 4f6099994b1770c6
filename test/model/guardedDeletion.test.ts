import { describe, expect, it } from '@jest/globals'
import { type DeletionBounds, type DeletionViolation, deletionProtocol } from './deletionProtocol.ts'
import { explore } from './explore.ts'
import { type DeletionGuard, deletionGuards } from './guards.ts'
import { report } from './report.ts'

const guarded: DeletionBounds = { buyers: 3, deleters: 2, restorers: 2, erasers: 2 }

/** Every guard, taken away alone: what goes wrong without it. */
const removals: Readonly<Record<DeletionGuard, DeletionViolation>> = {
  'claimed only while nothing is being deleted': 'something is sold to what is being deleted',
  'deleted only while every slot is free': 'something is sold to what is being deleted',
  'restored only while the erasure has not begun': 'erased though it was restored',
  'begun only where it was not restored': 'erased though it was restored',
}

describe('The deletion of an organization with all of its guards', () => {
  it('sells nothing to what is being deleted, and erases nothing that was restored, in every state', () => {
    const exploration = explore(deletionProtocol(guarded))
    report('deletion', exploration)
    expect(exploration).toMatchObject({ complete: true, violation: undefined })
  })
})

describe('The deletion of an organization without one of its guards', () => {
  it.each(deletionGuards)('goes wrong without "%s"', (guard) => {
    const exploration = explore(deletionProtocol(guarded, [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(removals[guard])
  })
})
