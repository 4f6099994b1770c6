import { type EventFault, eventFaultKinds } from './eventFaults.ts'
import { playEvents } from './eventStory.ts'

/** What an exploration came to. */
export interface EventsExplored {
  runs: number
  /** The calls that were given faults, without their numbers. */
  readonly reached: Set<string>
  readonly findings: string[]
}

/** Every fault of every await of the story, alone, or with a fault of each so many-th later await. */
export async function exploreEvents({ pairs }: { pairs: false | { every: number } }): Promise<EventsExplored> {
  const explored: EventsExplored = { runs: 0, reached: new Set(), findings: [] }
  const { firstAwaits } = await play([], explored)
  for (const at of firstAwaits) {
    for (const kind of eventFaultKinds) {
      const { awaits } = await play([{ at, kind }], explored)
      if (pairs === false) continue
      const later = awaits.slice(awaits.indexOf(at) + 1, awaits.indexOf(at) + 60)
      for (const [index, next] of later.entries()) {
        if ((index + explored.runs) % pairs.every !== 0) continue
        for (const other of eventFaultKinds)
          await play(
            [
              { at, kind },
              { at: next, kind: other },
            ],
            explored,
          )
      }
    }
  }
  return explored
}

async function play(faults: readonly EventFault[], explored: EventsExplored) {
  const run = await playEvents(faults)
  explored.runs += 1
  for (const { at } of faults) explored.reached.add(at.replace(/#\d+$/, ''))
  if (run.broken.length > 0) {
    const failed = faults.map(({ at, kind }) => `${at} ${kind}`).join(', ')
    explored.findings.push(`${failed || 'no fault'}: ${run.broken.join('; ')}`)
  }
  return run
}
