import * as z from 'zod'
import { measureOperation } from './measureOperation.ts'
import { openBench } from './openBench.ts'
import type { GrowthFigures } from './warmFigures.ts'

/** The operations to measure with a table of a given size. */
export const growthRequest = z.object({
  organizations: z.number(),
  operations: z.array(z.string()),
  rounds: z.number(),
  calls: z.number(),
})

/**
 * Measures operations with so many organizations in the table, and prints the figures as JSON. Each size has its own process, because a process
 * runs a single stack.
 */
async function main(): Promise<void> {
  const { organizations, operations, rounds, calls } = growthRequest.parse(JSON.parse(process.argv[2] ?? ''))
  await using cleanUp = new AsyncDisposableStack()
  const bench = cleanUp.adopt(await openBench({ organizations }), (it) => it.close())
  const figures: GrowthFigures[] = []
  for (const name of operations) {
    const measured = await measureOperation(bench, name, { rounds, calls, inFlights: [16] })
    figures.push(...measured.map((one) => ({ ...one, organizations })))
  }
  console.log(JSON.stringify(figures))
}

if (import.meta.main) await main()
