import { randomUUID } from 'node:crypto'
import type { StripeControl } from './control.ts'

/** What has changed since a cursor. */
interface Changes {
  /** For the next question. */
  cursor: string
  /** The answer has everything: forget what was known before. */
  whole: boolean
  now: number
  webhook_mode: string
  /** New and changed rows by list, oldest first. */
  rows: Record<string, object[]>
  /** Ids of removed rows by list. */
  removed: Record<string, string[]>
  /** The waiting faults; undefined if they have not changed. */
  faults?: object
}

type Row = { id: string }

interface Seen {
  row: Row
  /** What changes in a row itself: how a logged request was answered. Every other row is replaced. */
  mark: string
  version: number
}

/** Removed rows that are remembered. A cursor from before the oldest of them gets everything. */
const REMOVED_KEPT = 5_000

/** Reports to a polling reader what has changed since its last question. Compares only when asked. */
export function createChangeFeed(control: Pick<StripeControl, 'state' | 'requests' | 'faults'>) {
  const feed = randomUUID()
  const lists = new Map<string, Map<string, Seen>>()
  let removed: { list: string; id: string; version: number }[] = []
  let faults = { text: '', version: 0 }
  let version = 0
  /** Removals up to this version are forgotten. */
  let forgotten = 0

  function compare(list: string, rows: readonly Row[], next: number): boolean {
    const known = lists.get(list) ?? new Map<string, Seen>()
    lists.set(list, known)
    let changed = false
    for (const row of rows) {
      const seen = known.get(row.id)
      const mark = markOf(row)
      if (seen?.row === row && seen.mark === mark) continue
      known.set(row.id, { row, mark, version: next })
      changed = true
    }
    if (known.size === rows.length) return changed
    const present = new Set(rows.map(({ id }) => id))
    for (const id of known.keys()) {
      if (present.has(id)) continue
      known.delete(id)
      removed.push({ list, id, version: next })
    }
    return true
  }

  function compareFaults(text: string, next: number): boolean {
    if (faults.text === text) return false
    faults = { text, version: next }
    return true
  }

  function sinceOf(cursor: string | undefined): number {
    const [known, since] = (cursor ?? '').split('.')
    const at = Number(since)
    return known === feed && at >= forgotten && at <= version ? at : -1
  }

  return (cursor: string | undefined): Changes => {
    const { now, webhook_mode, ...tables } = control.state()
    const current: [string, readonly Row[]][] = [...Object.entries(tables), ['requests', control.requests()]]
    const waiting = { faults: control.faults.scripted(), plan: control.faults.planReport() }
    const next = version + 1
    const changes = current.map(([list, rows]) => compare(list, rows, next))
    if ([...changes, compareFaults(JSON.stringify([waiting, webhook_mode]), next)].includes(true)) version = next
    const surplus = removed.length - REMOVED_KEPT
    if (surplus > 0) {
      forgotten = removed[surplus - 1]?.version ?? version
      removed = removed.slice(surplus)
    }

    const since = sinceOf(cursor)
    const whole = since < 0
    const rows = current.flatMap(([list, all]): [string, object[]][] => {
      const newer = all.filter(({ id }) => (lists.get(list)?.get(id)?.version ?? 0) > since)
      return newer.length === 0 && !whole ? [] : [[list, newer]]
    })
    const gone = Map.groupBy(
      removed.filter((row) => !whole && row.version > since),
      (row) => row.list,
    )
    return {
      cursor: `${feed}.${version}`,
      whole,
      now,
      webhook_mode,
      rows: Object.fromEntries(rows),
      removed: Object.fromEntries([...gone].map(([list, ids]) => [list, ids.map(({ id }) => id)])),
      ...((whole || faults.version > since) && { faults: waiting }),
    }
  }
}

function markOf(row: Row & { status?: unknown; replayed?: unknown }): string {
  return `${row.status} ${row.replayed}`
}
