/** One page of a list, and where the next one begins: opaque; absent on the last page. */
export interface Page<Row> {
  rows: readonly Row[]
  next?: string
}
