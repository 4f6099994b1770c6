/** The rows of a table as a list. After a few writes it is copied and changed, which costs a fraction of listing all rows anew. */
export interface RowList<Row> {
  /** To be called when a row was put. */
  put(id: string): void
  /** To be called when a row was removed, or put back. */
  remove(): void
  /** The rows in the order they were created: the same list until one of them is written. */
  rows(): readonly Row[]
}

/** Writes after which the rows are listed anew. */
const fewWrites = 1000

/** JavaScript lists members with such names first, in the order of their numbers. */
const isNumber = (id: string) => /^\d+$/.test(id)

/** Opens the list of a table. */
export function openRowList<Row>(table: Readonly<Record<string, Row>>): RowList<Row> {
  let list: readonly Row[] | undefined
  const places = new Map<string, number>()
  const written = new Set<string>()

  function listAll(): readonly Row[] {
    places.clear()
    for (const [place, id] of Object.keys(table).entries()) places.set(id, place)
    return Object.values(table)
  }

  function listWritten(before: readonly Row[]): readonly Row[] {
    const next = [...before]
    for (const id of written) {
      const row = table[id]
      const place = places.get(id) ?? next.length
      if (row === undefined) continue
      places.set(id, place)
      next[place] = row
    }
    return next
  }

  function forget(): void {
    list = undefined
    written.clear()
  }

  return {
    put(id) {
      if (isNumber(id) || written.size > fewWrites) forget()
      else if (list !== undefined) written.add(id)
    },
    remove: forget,
    rows() {
      if (list === undefined) list = listAll()
      else if (written.size > 0) list = listWritten(list)
      written.clear()
      return list
    },
  }
}
