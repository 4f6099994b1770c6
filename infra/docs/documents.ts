import { readFile } from 'node:fs/promises'
import { type CoveredOperation, coverage } from 'stripe-emulator'
import { replaceFigures } from '../bench/figures.ts'
import { productsOnSale } from '../data/products.ts'
import { samplesOf } from '../local/samples/readSamples.ts'
import { sampleEvent } from '../local/samples/sampleEvent.ts'
import type { FunctionName } from '../manifest.ts'
import { type GeneratedDocument, productModules } from './productModules.ts'

/** Every generated document with its current text. */
export async function generatedDocuments(): Promise<GeneratedDocument[]> {
  return Promise.all([
    withTable('../emulators/stripe/README.md', 'coverage', renderResources()),
    { file: new URL('../emulators/stripe/coverage.txt', import.meta.url), text: renderCoverage() },
    ...productModules(productsOnSale),
    ...wholeEvents(),
  ])
}

async function withTable(path: string, name: string, table: string): Promise<GeneratedDocument> {
  const file = new URL(path, import.meta.url)
  return { file, text: replaceFigures(await readFile(file, 'utf8'), name, table) }
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

const operations = coverage()
const first = operations.filter(({ path }) => path.startsWith('/v1/'))
const covered = operations.filter(({ params }) => params !== undefined)
const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ')

/** The parameters of every list, and of every search. */
const common = {
  paging: ['ending_before', 'limit', 'starting_after'],
  search: ['limit', 'page', 'query'],
}

/** The README's paragraph: how many operations are covered, of which resources. */
export function renderResources(): string {
  const resources = [...Map.groupBy(covered, ({ path }) => path.split('/')[2] ?? '')]
  // Nothing of these is ever made or read alone.
  const isEmptyList = ({ method, path }: CoveredOperation) => method === 'GET' && !path.includes('*')
  const named = (empty: boolean) =>
    resources
      .filter(([name, operations]) => (operations.every(isEmptyList) && name !== 'account') === empty)
      .map(([name]) => name)
      .sort()
  return [
    `${covered.length} of the ${first.length} operations under \`/v1\` are covered; [coverage.txt](coverage.txt) has each with its parameters. They are of`,
    `${list(named(false))}.`,
    `Of ${list(named(true))} there are only lists, and they are empty.`,
    'Every other operation, and `/v2`, answers 501.',
  ].join('\n')
}

/** `coverage.txt`: each covered operation on a line, with the parameters that it takes, and the members of these that it does not take. */
export function renderCoverage(): string {
  return [
    'What the Stripe emulator takes, generated from its endpoints by npm run docs. expand is taken everywhere. * is an id;',
    `paging is ${common.paging.join(', ')}; search is ${common.search.join(', ')}.`,
    'A parameter or operation of Stripe’s that is not here, and some values, answer 501 with the name.',
    'A name that Stripe does not have answers 400 parameter_unknown, as at Stripe.',
    '',
    ...covered.map((operation) =>
      [`${operation.method} ${operation.path}`, takenBy(operation)].filter(Boolean).join(': '),
    ),
    '',
  ].join('\n')
}

/** The parameters, those of every list or search by their common name. `a (not b)` is `a` without its member `b`. */
function takenBy({ params }: CoveredOperation): string {
  const { covered: taken = [], uncovered = [] } = params ?? {}
  const shared = Object.entries(common).filter(([, names]) => names.every((name) => taken.includes(name)))
  const own = taken.filter((name) => !shared.some(([, names]) => names.includes(name)))
  const membersOf = (name: string) =>
    uncovered.flatMap((param) => (param.startsWith(`${name}[`) ? [param.slice(name.length)] : []))
  const texts = own.map((name) => {
    const left = membersOf(name).map((member) => member.replace(/^\[(.*?)\]/, '$1'))
    return left.length === 0 ? name : `${name} (not ${left.join(', ')})`
  })
  return [...texts, ...shared.map(([name]) => name)].join(', ')
}
