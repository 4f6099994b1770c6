import { describe, expect, it } from '@jest/globals'
import { type DeletionBounds, type DeletionViolation, deletionProtocol } from '../deletionProtocol.ts'
import { describeGuarded } from '../describeProtocol.ts'
import { explore } from '../explore.ts'
import { report } from '../report.ts'
import { type DeletionGuard, deletionGuards } from './guards.ts'

/** The bounds within which all guards together are shown to hold; each is removed within the first. */
const guarded: readonly [DeletionBounds, ...DeletionBounds[]] = [
  { buyers: 3, deleters: 1, restorers: 1, erasers: 1 },
  { buyers: 2, deleters: 2, restorers: 2, erasers: 1 },
  { buyers: 2, deleters: 1, restorers: 2, erasers: 2 },
]

/** Every guard, taken away alone: what goes wrong without it. */
const removals: Readonly<Record<DeletionGuard, DeletionViolation>> = {
  'sent only while nothing is being deleted': 'something is sold to what is being deleted',
  'the claim and the organization are read in one transaction': 'something is sold to what is being deleted',
  'a claim of what is being deleted is given back on its rev': 'freed though it was sent',
  'deleted only while every slot is free': 'something is sold to what is being deleted',
  'restored only while the erasure has not begun': 'erased though it was restored',
  'begun only where it was not restored': 'erased though it was restored',
}

describeGuarded(
  { subject: 'The deletion of an organization', guarded: guarded.map((bounds) => ({ bounds })) },
  'sells nothing to what is being deleted, and erases nothing that was restored,',
  deletionProtocol,
)

describe('The deletion of an organization without one of its guards', () => {
  it.each(deletionGuards)('goes wrong without "%s"', (guard) => {
    const exploration = explore(deletionProtocol(guarded[0], [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(removals[guard])
  })
})
