import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { generateOrganizations } from '../../local/generateOrganizations.ts'
import { replaceFigures } from '../figures.ts'
import { measureOperation } from './measureOperation.ts'
import { openBench } from './openBench.ts'
import { warmOperations } from './operations.ts'
import { type GrowthFigures, renderGrowthFigures } from './warmFigures.ts'

const document = new URL('../../decisions/warm.md', import.meta.url)

/**
 * `npm run bench:growth [-- --operation NAME --organizations N --organizations N --rounds N --dry-run]`: measures processor time and calls of each operation
 * with more and more organizations in the table, 100 and 10,000 by default, and writes the table into `infra/decisions/warm.md`. To write a
 * million into the emulator takes minutes.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operation: { type: 'string', multiple: true, default: Object.keys(warmOperations) },
      organizations: { type: 'string', multiple: true, default: ['100', '10000'] },
      rounds: { type: 'string', default: '7' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const positive = z.coerce.number().int().min(1)
  const sizes = z.array(positive).parse(values.organizations)
  const extent = { rounds: positive.parse(values.rounds), calls: 128, inFlights: [16] }
  if (!values['dry-run']) replaceFigures(await readFile(document, 'utf8'), 'growth', '')

  await using cleanUp = new AsyncDisposableStack()
  const bench = cleanUp.adopt(await openBench(), (it) => it.close())
  const figures: GrowthFigures[] = []
  let from = 0
  for (const organizations of sizes) {
    await generateOrganizations(bench.client.info.dynamodb_endpoint, { from, to: organizations })
    from = organizations
    for (const name of values.operation) {
      const operation = warmOperations[name]
      if (operation === undefined) throw new Error(`No operation ${name}: ${Object.keys(warmOperations).join(', ')}`)
      const process = bench.process(operation.functionName)
      const measured = await measureOperation(bench.client, { name, operation, process }, extent)
      figures.push(...measured.map((one) => ({ ...one, organizations })))
    }
    console.error(`${organizations} organizations measured`)
  }
  const conditions = `Medians of ${extent.rounds} blocks of ${extent.calls} calls each, 16 in flight; Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores.`
  const table = `${renderGrowthFigures(figures)}\n\n${conditions}`
  console.log(table)
  if (!values['dry-run']) await writeFile(document, replaceFigures(await readFile(document, 'utf8'), 'growth', table))
}

await main()
