import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import * as z from 'zod'
import { openFigures } from '../figures.ts'
import type { growthRequest } from './growthAt.ts'
import { warmOperations } from './operations.ts'
import { type GrowthFigures, growthFigures, renderGrowthFigures } from './warmFigures.ts'

const document = new URL('../../decisions/warm.md', import.meta.url)

/**
 * `npm run bench:growth [-- --operation NAME --organizations N --organizations N --rounds N --dry-run]`: measures processor time and calls of each operation
 * when the table has more and more organizations, by default 100, 10,000 and 1,000,000. Writes the table into `infra/decisions/warm.md`. The
 * emulator needs minutes and 2 GB for a million.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operation: { type: 'string', multiple: true, default: Object.keys(warmOperations) },
      organizations: { type: 'string', multiple: true, default: ['100', '10000', '1000000'] },
      rounds: { type: 'string', default: '7' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const positive = z.coerce.number().int().min(1)
  const sizes = z.array(positive).parse(values.organizations)
  const extent = { rounds: positive.parse(values.rounds), calls: 128 }
  const place = values['dry-run'] ? undefined : await openFigures(document, 'growth')

  const figures: GrowthFigures[] = []
  for (const organizations of sizes) {
    const began = performance.now()
    figures.push(...(await measureAt({ organizations, operations: values.operation, ...extent })))
    console.error(`${organizations} organizations measured in ${Math.round((performance.now() - began) / 1000)} s`)
  }
  const conditions = `Medians of ${extent.rounds} blocks of ${extent.calls} calls each, 16 in flight; Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores.`
  const table = `${renderGrowthFigures(figures)}\n\n${conditions}`
  console.log(table)
  await place?.write(table)
}

/** @throws Error with the process's output if it failed */
async function measureAt(request: z.infer<typeof growthRequest>): Promise<GrowthFigures[]> {
  const script = join(import.meta.dirname, 'growthAt.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(request)])
  return z.array(growthFigures).parse(JSON.parse(stdout))
}

await main()
