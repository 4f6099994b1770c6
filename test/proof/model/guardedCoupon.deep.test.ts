import { describe, expect, it } from '@jest/globals'
import { couponProtocol } from './couponProtocol.ts'
import { explore } from './explore.ts'
import { couponGuards } from './guards.ts'
import { couponRemovals, guardedCoupons } from './removedGuards.ts'
import { boundsText, report } from './report.ts'

describe('The coupon protocol with all of its guards', () => {
  it.each(guardedCoupons.map((row) => [boundsText(row.bounds), row] as const))(
    'uses a coupon once, gives it back on every refusal and records it in every state: %s',
    (title, { bounds }) => {
      const exploration = explore(couponProtocol(bounds))
      report(title, exploration)
      expect(exploration).toMatchObject({ complete: true, violation: undefined })
    },
  )
})

describe('The coupon protocol without one of its guards', () => {
  it.each(couponGuards)('goes wrong without "%s"', (guard) => {
    const { bounds, kind } = couponRemovals[guard]
    const exploration = explore(couponProtocol(bounds, [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(kind)
  })

  it.each(couponGuards)('goes wrong within bounds in which all guards hold: "%s"', (guard) => {
    const { workers, organizations, hooks, faults, ticks } = couponRemovals[guard].bounds
    const within = guardedCoupons.some(
      ({ bounds }) =>
        organizations === bounds.organizations &&
        workers <= bounds.workers &&
        hooks <= bounds.hooks &&
        faults <= bounds.faults &&
        ticks <= bounds.ticks,
    )
    expect(within).toBe(true)
  })
})
