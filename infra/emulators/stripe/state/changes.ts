import { isRecord } from '../wire/wire.ts'
import { openSnapshot } from './snapshot.ts'
import type { Kind, State } from './state.ts'
import type { Store } from './store.ts'

/** What a write changed, as plain JSON: the rows it wrote (null if removed) with the state's own members, or the whole state. */
export type StateChange = Omit<State, 'rows'> & { rows: { kind: Kind; id: string; row: object | null }[] }

/** The change that `written` made, each row once, as it is now. */
export function changeOf(state: State, store: Store, written: { kind: Kind; id: string }[]): StateChange {
  const { rows: _rows, ...own } = state
  const unique = new Map(written.map((row) => [`${row.kind} ${row.id}`, row]))
  return { ...own, rows: [...unique.values()].map(({ kind, id }) => ({ kind, id, row: store.get(kind, id) ?? null })) }
}

function isKind(state: State, kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(state.rows, kind)
}

/** Applies a change to `state` itself. If the change holds the whole state, it replaces it. */
function applyChange(state: State, change: unknown): State {
  if (!isRecord(change) || !Array.isArray(change.rows)) return openSnapshot(change)
  const { rows, ...own } = change
  for (const entry of rows) {
    const { kind, id, row } = isRecord(entry) ? entry : {}
    if (!isKind(state, kind) || typeof id !== 'string') throw new TypeError('not a change of the Stripe emulator')
    const table: Record<string, unknown> = state.rows[kind]
    if (row === null) delete table[id]
    else table[id] = row
  }
  return Object.assign(state, own)
}

/** The state of a snapshot after changes, oldest first. Throws TypeError on anything else. */
export function replay(snapshot: unknown, changes: readonly unknown[]): State {
  return changes.reduce<State>(applyChange, openSnapshot(snapshot))
}
