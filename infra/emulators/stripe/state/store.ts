import { openRowList, type RowList } from './rowList.ts'
import type { Kind, State, Tables } from './state.ts'

/** Typed access to the rows with an undo journal, so that a refused request writes nothing. */
export interface Store {
  get<K extends Kind>(kind: K, id: string): Tables[K] | undefined
  /** The rows in the order they were created: the same list until one of them is written. */
  all<K extends Kind>(kind: K): readonly Tables[K][]
  put<K extends Kind>(kind: K, row: Tables[K]): void
  remove(kind: Kind, id: string): void
  /** Undoes every write since the last `commit`. */
  rollback(): void
  /** Clears the journal. Returns the rows written since the last commit. */
  commit(): { kind: Kind; id: string }[]
}

/** A store over `state`. Rows are replaced, never mutated, so an event may hold the row it saw. */
export function createStore(state: State): Store {
  let journal: { kind: Kind; id: string; undo: () => void }[] = []
  const lists: { [K in Kind]?: RowList<Tables[K]> } = {}

  function listOf<K extends Kind>(kind: K): RowList<Tables[K]> {
    const known = lists[kind]
    if (known !== undefined) return known
    const opened = openRowList<Tables[K]>(state.rows[kind])
    Object.assign(lists, { [kind]: opened })
    return opened
  }

  function remember<K extends Kind>(kind: K, id: string): void {
    const table: Record<string, Tables[K]> = state.rows[kind]
    const before = table[id]
    journal.push({
      kind,
      id,
      undo: () => {
        listOf(kind).remove()
        if (before === undefined) delete table[id]
        else table[id] = before
      },
    })
  }

  return {
    get: (kind, id) => (Object.hasOwn(state.rows[kind], id) ? state.rows[kind][id] : undefined),
    all: (kind) => listOf(kind).rows(),
    put<K extends Kind>(kind: K, row: Tables[K]) {
      remember(kind, row.id)
      const table: Record<string, Tables[K]> = state.rows[kind]
      table[row.id] = row
      listOf(kind).put(row.id)
    },
    remove(kind, id) {
      remember(kind, id)
      delete state.rows[kind][id]
      listOf(kind).remove()
    },
    rollback() {
      for (const entry of journal.reverse()) entry.undo()
      journal = []
    },
    commit() {
      const written = journal
      journal = []
      return written.map(({ kind, id }) => ({ kind, id }))
    },
  }
}
