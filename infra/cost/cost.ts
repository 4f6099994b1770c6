import { readFile, writeFile } from 'node:fs/promises'
import { replaceFigures } from '../bench/figures.ts'
import { costFigures, costReport } from './costReport.ts'

const document = new URL('../runbook/cost.md', import.meta.url)

/**
 * `npm run cost`: the cost of each operation on AWS, from the tables beside it. If `-- --write` is given, it also writes the figures of
 * `infra/runbook/cost.md`.
 */
process.stdout.write(`${costReport()}\n`)
if (process.argv.includes('--write')) {
  await writeFile(document, replaceFigures(await readFile(document, 'utf8'), 'cost', costFigures()))
}
