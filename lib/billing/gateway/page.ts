/** A page of a list. `next` is the opaque cursor of the page after it; absent on the last page. */
export interface Page<Row> {
  rows: readonly Row[]
  next?: string
}
