import { readFile } from 'node:fs/promises'
import { replaceFigures } from '../bench/figures.ts'
import { type FunctionRow, manifest } from '../manifest.ts'
import { renderCoverage, renderResources } from './stripeCoverage.ts'
import { wholeEvents } from './wholeEvents.ts'

/** A document that is generated, in whole or in part, from the manifest, the samples or an emulator's endpoints. */
interface GeneratedDocument {
  readonly file: URL
  readonly text: string
}

/** Every generated document with its current text. */
export async function generatedDocuments(): Promise<GeneratedDocument[]> {
  return Promise.all([
    withTable('../../functions/README.md', 'endpoints', renderEndpoints()),
    withTable('../emulators/stripe/README.md', 'coverage', renderResources()),
    { file: new URL('../emulators/stripe/coverage.md', import.meta.url), text: renderCoverage() },
    ...wholeEvents(),
  ])
}

async function withTable(path: string, name: string, table: string): Promise<GeneratedDocument> {
  const file = new URL(path, import.meta.url)
  return { file, text: replaceFigures(await readFile(file, 'utf8'), name, table) }
}

/** The table of `functions/README.md`: for every path the functions that it reaches, each with its caller and limit. */
function renderEndpoints(): string {
  const rows: readonly FunctionRow[] = manifest
  const places = [...Map.groupBy(rows, ({ trigger }) => placeOf(trigger))]
  return [
    '| path | functions, callers, limits |',
    '|---|---|',
    ...places.map(([place, reached]) => `| ${place} | ${reached.map(cellOf).join(', ')} |`),
  ].join('\n')
}

function cellOf({ name, trigger, caller, rateLimit }: FunctionRow): string {
  const methods = trigger.kind === 'http' && (trigger.alsoPost ? `${trigger.method}, POST` : trigger.method)
  const link = `[${methods || name}](${name})`
  if (trigger.kind === 'schedule') return link
  return rateLimit ? `${link} ${caller} ${rateLimit.requestsPerMinute}` : `${link} ${caller}`
}

function placeOf(trigger: FunctionRow['trigger']): string {
  switch (trigger.kind) {
    case 'http':
      return `\`${trigger.path}\``
    case 'unmatched':
      return 'any other path'
    case 'url':
      return 'a Lambda URL of its own'
    case 'schedule':
      return `every ${trigger.every}`
    default:
      return trigger satisfies never
  }
}
