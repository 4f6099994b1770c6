import { describe, expect, it } from '@jest/globals'
import { duePass, type Pass } from '../../../lib/billing/reconcile/pass.ts'
import { noon } from '../fixtures.ts'

const counts = { events: 0, subscriptions: 0, slots: 0, refunds: 0, disputes: 0, overdue: 0, drift: 0, left: 0 }
const stored: Pass = { id: 'before', rev: 3, startedAt: noon, phase: 'slots', adoptOnly: false, counts }
const run = { id: 'now', now: noon + 60_000, begin: false, adoptOnly: false }

describe('The pass that a run continues or begins', () => {
  it.each([
    ['a run of the schedule', run],
    ['an operator who begins one', { ...run, begin: true }],
  ])('only adopts where the record is of before a restore, for %s', (_, wanted) => {
    for (const phase of ['slots', 'complete'] as const) {
      const due = duePass({ ...stored, phase, restored: true }, wanted)
      expect(due).toEqual({ ...due, id: 'now', phase: 'events', adoptOnly: true, rev: 3 })
      // It is written to the table that is in use now.
      expect(due).not.toHaveProperty('restored')
    }
  })

  it('goes on to adopt only, where it is begun anew before the adopting pass is complete', () => {
    expect(duePass({ ...stored, adoptOnly: true }, { ...run, begin: true })).toMatchObject({
      id: 'now',
      adoptOnly: true,
    })
  })

  it('is an ordinary one once the adopting pass is complete', () => {
    const adopted: Pass = { ...stored, adoptOnly: true, phase: 'complete' }
    expect(duePass(adopted, { ...run, begin: true })).toMatchObject({ id: 'now', adoptOnly: false })
    expect(duePass(adopted, run)).toBeUndefined()
  })

  it('is the one under way, unless another is begun', () => {
    expect(duePass(stored, run)).toBe(stored)
    expect(duePass(stored, { ...run, begin: true })).toMatchObject({ id: 'now', adoptOnly: false })
  })
})
