import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { routesByReaders } from '../data/routes.ts'
import { buildDocument } from './document.ts'
import { examplesFile, readExamples } from './examples.ts'
import { recordExamples } from './recordExamples.ts'

// `npm run openapi` writes the document, and the routes that the unmatched function knows; with `-- --record` it first sends the samples to a local
// stack and keeps the answers.
const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } })
const documentFile = new URL('../../lib/http/openapi.json', import.meta.url)
const routesFile = new URL('../../lib/http/routes.json', import.meta.url)

if (values.record) await writeJson(examplesFile, await recordExamples(await readExamples()))
await writeJson(documentFile, await buildDocument(await readExamples()))
await writeJson(routesFile, routesByReaders)
process.stdout.write(`${fileURLToPath(documentFile)}\n`)

/** As the linter wants it, so that a generated file is no exception to it. */
async function writeJson(file: URL, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
  const { status, stderr } = spawnSync('biome', ['format', '--write', fileURLToPath(file)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`biome format: ${stderr}`)
}
