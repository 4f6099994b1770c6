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
  const events = new URL('../../events/README.md', import.meta.url)
  const emulator = new URL('../emulators/stripe/README.md', import.meta.url)
  return [
    { file: new URL('../../functions/README.md', import.meta.url), text: renderEndpoints() },
    { file: events, text: replaceFigures(await readFile(events, 'utf8'), 'events', await renderEvents()) },
    { file: emulator, text: replaceFigures(await readFile(emulator, 'utf8'), 'coverage', renderResources()) },
    { file: new URL('coverage.md', emulator), text: renderCoverage() },
  ]
}
