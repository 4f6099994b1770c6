import { readFile, writeFile } from 'node:fs/promises'
import { replaceFigures } from '../bench/figures.ts'
import { costFigures, costReport } from './costReport.ts'

const document = new URL('../README.md', import.meta.url)

/**
 * `npm run cost`: what each operation costs on AWS. Reads nothing but the tables beside it. With `-- --write` it writes the figures of
 * `infra/README.md` too.
 */
process.stdout.write(`${costReport()}\n`)
if (process.argv.includes('--write')) {
  await writeFile(document, replaceFigures(await readFile(document, 'utf8'), 'cost', costFigures()))
}
