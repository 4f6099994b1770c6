import { readFile } from 'node:fs/promises'
import { replaceFigures } from '../bench/figures.ts'
import { renderEndpoints } from './endpointTable.ts'
import { renderEvents } from './eventTable.ts'
import { renderCoverage, renderResources } from './stripeCoverage.ts'

/** A document that the manifest, or the endpoints of an emulator, say all or a part of. */
export interface GeneratedDocument {
  readonly file: URL
  readonly text: string
}

/** Every generated document with its text as it has to be. */
export async function generatedDocuments(): Promise<GeneratedDocument[]> {
  return Promise.all([
    withTable('../../functions/README.md', 'endpoints', renderEndpoints()),
    withTable('../../events/README.md', 'events', await renderEvents()),
    withTable('../emulators/stripe/README.md', 'coverage', renderResources()),
    { file: new URL('../emulators/stripe/coverage.md', import.meta.url), text: renderCoverage() },
  ])
}

async function withTable(path: string, name: string, table: string): Promise<GeneratedDocument> {
  const file = new URL(path, import.meta.url)
  return { file, text: replaceFigures(await readFile(file, 'utf8'), name, table) }
}
