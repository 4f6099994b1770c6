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

/** The table of warm calls. */
export function renderWarmFigures(figures: readonly WarmFigures[]): string {
  return [
    '| operation | outside calls | in flight | processor time | floor | ratio | p50 | p95 | p99 |',
    '|---|---|---|---|---|---|---|---|---|',
    ...figures.map(({ name, calls, inFlight, own, floor, ratio, latencies }) => {
      const waits = [0.5, 0.95, 0.99].map((share) => `${percentile(latencies, share).toFixed(1)} ms`)
      const times = [`${own.toFixed(2)} ms`, `${floor.toFixed(2)} ms`, ratio.toFixed(2)]
      return `| ${[name, calls, inFlight, ...times, ...waits].join(' | ')} |`
    }),
  ].join('\n')
}

/**
 * The table of growth. Other load on the machine changes both a function's processor time and its floor, so their ratio is compared: `growth` is
 * the ratio divided by the ratio with the fewest organizations.
 */
export function renderGrowthFigures(figures: readonly GrowthFigures[]): string {
  return [
    '| operation | organizations | outside calls | processor time | floor | ratio | growth |',
    '|---|---|---|---|---|---|---|',
    ...figures.map(({ name, organizations, calls, own, floor, ratio }) => {
      const first = figures.find((one) => one.name === name)?.ratio ?? Number.NaN
      const times = [`${own.toFixed(2)} ms`, `${floor.toFixed(2)} ms`, ratio.toFixed(2), (ratio / first).toFixed(2)]
      return `| ${[name, organizations.toLocaleString('en'), calls, ...times].join(' | ')} |`
    }),
  ].join('\n')
}

/** The smallest value that this share of all does not exceed (nearest rank). NaN if there are none. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
