import type { EventDraft } from '../event.ts'

/**
 * The order in which waiting events are numbered: by time, but a subject's events by their revisions. Clocks of two invocations differ, and
 * revisions don't.
 */
export function orderEvents(waiting: readonly EventDraft[]): EventDraft[] {
  const byTime = waiting.toSorted((one, other) => one.at - other.at || compare(one.subject, other.subject))
  const bySubject = Map.groupBy(
    waiting.toSorted((one, other) => one.revision - other.revision || compare(one.id, other.id)),
    ({ subject }) => subject,
  )
  return byTime.flatMap(({ subject }) => bySubject.get(subject)?.shift() ?? [])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
