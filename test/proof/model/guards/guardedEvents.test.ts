import { describe, expect, it } from '@jest/globals'
import { type EventBounds, type EventViolation, eventProtocol } from '../eventProtocol.ts'
import { explore } from '../explore.ts'
import { boundsText, report } from '../report.ts'
import { type EventGuard, eventGuards } from './guards.ts'

/** The bounds within which all guards together are shown to hold; each is removed within the first. */
const guarded: readonly [EventBounds, ...EventBounds[]] = [
  { facts: 2, relays: 2, workers: 1 },
  { facts: 3, relays: 2, workers: 1 },
  { facts: 2, relays: 1, workers: 2 },
]

/** Every guard, taken away alone: what goes wrong without it. */
const removals: Readonly<Record<EventGuard, EventViolation>> = {
  'the event is in the transaction of its fact': 'a fact is lost',
  'later revisions are read first': 'a later revision has the lower number',
  'a number is given only after the number that was read': 'a fact is lost',
  'the delivery is in the transaction of the number': 'an event has no delivery',
  'delivered is stored after the answer': 'delivered and not received',
  'a claim lapses': 'a delivery waits forever',
}

describe('Events of a slot with all of their guards', () => {
  it.each(guarded.map((bounds) => [boundsText(bounds), bounds] as const))(
    'have one number each, in order, and are delivered or listed as failed, in every state: %s',
    (title, bounds) => {
      const exploration = explore(eventProtocol(bounds))
      report(title, exploration)
      expect(exploration).toMatchObject({ complete: true, violation: undefined })
    },
  )
})

describe('Events of a slot without one of their guards', () => {
  it.each(eventGuards)('go wrong without "%s"', (guard) => {
    const exploration = explore(eventProtocol(guarded[0], [guard]))
    report(`without "${guard}"`, exploration)
    expect(exploration.violation?.kind).toBe(removals[guard])
  })
})
