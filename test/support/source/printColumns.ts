/** Writes rows to the output, each cell as wide as the longest one of its column. */
export function printColumns(rows: readonly (readonly string[])[]): void {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd()}\n`,
    )
}
