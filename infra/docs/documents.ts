import { readFile } from 'node:fs/promises'
import { replaceFigures } from '../bench/figures.ts'
import { samplesOf } from '../local/samples/readSamples.ts'
import { sampleEvent } from '../local/samples/sampleEvent.ts'
import { type FunctionName, type FunctionRow, manifest } from '../manifest.ts'
import { renderCoverage, renderResources } from './stripeCoverage.ts'

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

/** The operations of the published interface, and Stripe's webhook. */
const published: readonly FunctionName[] = [
  'oauth-token',
  'users-me-update',
  'billing-checkout',
  'billing-setup-intent',
  'billing-cancel',
  'stripe-webhook',
]

/** The files of `events/aws`, to paste into AWS's console: every sample that succeeds, and a refusal of each status. */
function wholeEvents(): { readonly file: URL; readonly text: string }[] {
  return published.flatMap((functionName) =>
    chosenSamples(functionName).map((sample) => ({
      file: new URL(`../../events/aws/${functionName}.${sample}.json`, import.meta.url),
      text: `${JSON.stringify(sampleEvent(functionName, sample), null, 2)}\n`,
    })),
  )
}

function chosenSamples(functionName: FunctionName): string[] {
  const samples = Object.entries(samplesOf(functionName))
  return samples
    .filter(([, { expect }], at) => expect < 400 || samples.findIndex((each) => each[1].expect === expect) === at)
    .map(([name]) => name)
}
