import type { Due } from '../invoices/sentInvoices.ts'
import type { Context } from '../state/context.ts'
import type { Kind, Tables } from '../state/state.ts'

/** What falls due in a table. The ledger says which rows were written, so no request looks at every row. */
export interface DueTimes {
  /** To be called after each commit. */
  note(context: Context, written: readonly { kind: Kind; id: string }[]): void
  /** The earliest that is due at `now`. */
  first(now: number): Due | undefined
}

/** Opens what falls due of a table: `kinds` names it, and then another table whose row of the same id matters. */
export function openDueTimes<K extends Kind>(
  context: Context,
  kinds: readonly [K, ...Kind[]],
  duesOf: (context: Context, row: Tables[K]) => Due[],
): DueTimes {
  const [kind] = kinds
  const known = new Map<string, Due[]>()
  /** Nothing is due before. */
  let earliest = Number.NEGATIVE_INFINITY
  for (const row of context.store.all(kind)) known.set(row.id, duesOf(context, row))

  return {
    note(here, written) {
      for (const { id } of written.filter((row) => kinds.includes(row.kind))) {
        const row = here.store.get(kind, id)
        const dues = row === undefined ? [] : duesOf(here, row)
        if (row === undefined) known.delete(id)
        else known.set(id, dues)
        for (const { at } of dues) earliest = Math.min(earliest, at)
      }
    },
    first(now) {
      if (now < earliest) return undefined
      let first: Due | undefined
      for (const dues of known.values())
        for (const due of dues) if (first === undefined || due.at < first.at) first = due
      earliest = first?.at ?? Number.POSITIVE_INFINITY
      return earliest <= now ? first : undefined
    },
  }
}
