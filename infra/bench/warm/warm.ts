import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { openFigures } from '../figures.ts'
import { measureOperation } from './measureOperation.ts'
import { openBench } from './openBench.ts'
import { warmOperations } from './operations.ts'
import { renderWarmFigures, type WarmFigures } from './warmFigures.ts'

const document = new URL('../../decisions/warm.md', import.meta.url)

/**
 * `npm run bench:warm [-- --operation NAME --calls N --rounds N --dry-run --profile FOLDER]`: measures the processor time of warm
 * functions against their own calls made bare, and their latencies, and writes the table into `infra/decisions/warm.md`. Emulators run
 * outside the measured process. If `--profile` is given, it skips the floor and writes the process's profile into the folder.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operation: { type: 'string', multiple: true },
      calls: { type: 'string', default: '128' },
      rounds: { type: 'string', default: '7' },
      profile: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const positive = z.coerce.number().int().min(1)
  const [rounds, calls] = [positive.parse(values.rounds), positive.parse(values.calls)]
  const inFlights = values.profile === undefined ? [1, 16, 64] : [1]
  const extent = { rounds, calls, inFlights, profileFolder: values.profile }
  const isWritten = !values['dry-run'] && values.operation === undefined && values.profile === undefined
  const place = isWritten ? await openFigures(document, 'warm') : undefined

  await using cleanUp = new AsyncDisposableStack()
  const bench = cleanUp.adopt(await openBench(), (it) => it.close())
  const figures: WarmFigures[] = []
  for (const name of values.operation ?? Object.keys(warmOperations)) {
    figures.push(...(await measureOperation(bench, name, extent)))
    console.error(`${name} measured`)
  }
  const conditions = `Medians of ${rounds} blocks of ${calls} calls each, in turns with their floor; Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores.`
  const table = `${renderWarmFigures(figures)}\n\n${conditions}`
  console.log(table)
  await place?.write(table)
}

await main()
