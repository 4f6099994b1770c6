import * as z from 'zod'

/** A function under a given load, with so many organizations in the table. Times are milliseconds. */
export const growthFigures = z.object({
  name: z.string(),
  /** How many calls it makes to its neighbors. */
  calls: z.number(),
  inFlight: z.number(),
  /** Processor time of a call (`own`), and of its calls made bare (`floor`). */
  own: z.number(),
  floor: z.number(),
  /** The median of the blocks' ratios. */
  ratio: z.number(),
  /** How long each call took. */
  latencies: z.array(z.number()),
  organizations: z.number(),
})
export type GrowthFigures = z.infer<typeof growthFigures>
export type WarmFigures = Omit<GrowthFigures, 'organizations'>

/** The table of warm calls: a row for each operation, a column for each number of calls in flight. */
export function renderWarmFigures(figures: readonly WarmFigures[]): string {
  const columns = [...new Set(figures.map(({ inFlight }) => inFlight))].map((calls) => `${calls} in flight`)
  return tableOf(figures, columns, ({ own, floor, ratio, latencies }) => {
    const waits = [0.5, 0.95, 0.99].map((share) => percentile(latencies, share).toFixed(1)).join('/')
    return `${own.toFixed(2)}/${floor.toFixed(2)} (${ratio.toFixed(2)})<br>${waits}`
  })
}

/**
 * The table of growth: a row for each operation, a column for each number of organizations. Other load on the machine changes both a function's
 * processor time and its floor, so their ratio is compared: `growth` is the ratio divided by the ratio with the fewest organizations.
 */
export function renderGrowthFigures(figures: readonly GrowthFigures[]): string {
  const sizes = new Set(figures.map(({ organizations }) => organizations))
  const columns = [...sizes].map((size) => `${size.toLocaleString('en')} organizations`)
  return tableOf(figures, columns, ({ name, own, floor, ratio }) => {
    const growth = ratio / (figures.find((first) => first.name === name)?.ratio ?? Number.NaN)
    return `${own.toFixed(2)}/${floor.toFixed(2)} (${ratio.toFixed(2)}, ${growth.toFixed(2)})`
  })
}

/** A row for each operation, with its number of outside calls, or all of them if they differ. */
function tableOf<Figures extends WarmFigures>(
  figures: readonly Figures[],
  columns: readonly string[],
  cellOf: (measured: Figures) => string,
): string {
  return [
    `| ${['operation', 'outside calls', ...columns].join(' | ')} |`,
    `|${'---|'.repeat(columns.length + 2)}`,
    ...[...Map.groupBy(figures, ({ name }) => name)].map(([name, measured]) => {
      const calls = [...new Set(measured.map(({ calls }) => calls))].join(', ')
      return `| ${[name, calls, ...measured.map(cellOf)].join(' | ')} |`
    }),
  ].join('\n')
}

/** The smallest value that this share of all does not exceed (nearest rank). NaN if there are none. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
