import { type CoveredOperation, coverage } from 'stripe-emulator'

const operations = coverage()
const first = operations.filter(({ path }) => path.startsWith('/v1/'))
const covered = operations.filter(({ params }) => params !== undefined)
const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ') || '–'

/** The first part of a path under `/v1`: a resource, or the parent of several. */
function resourceOf({ path }: CoveredOperation): string {
  return path.split('/')[2] ?? ''
}

/** An operation's name without its resource. */
function shortName(resource: string, { method, path }: CoveredOperation): string {
  return code(`${method} ${path.slice(`/v1/${resource}`.length) || '/'}`)
}

/** The README's table: if a resource is covered, its operations and those that answer 501; then the other resources. */
export function renderResources(): string {
  const groups = [...Map.groupBy(first, resourceOf)].sort()
  const isKnown = ([, all]: (typeof groups)[number]) => all.some(({ params }) => params !== undefined)
  const rows = groups.filter(isKnown).map(([resource, all]) => {
    const names = (rows: readonly CoveredOperation[]) => rows.map((row) => shortName(resource, row)).join(', ')
    const uncovered = all.filter(({ params }) => params === undefined)
    return `| ${code(resource)} | ${names(all.filter(({ params }) => params !== undefined))} | ${names(uncovered) || '–'} |`
  })
  const others = groups.filter((group) => !isKnown(group)).map(([resource]) => resource)
  return [
    `${covered.length} of the ${first.length} operations under \`/v1\` are covered; every other one, and \`/v2\`, answers 501. \`*\` is an id.`,
    '[coverage.md](coverage.md) has the parameters of each operation.',
    '',
    '| under `/v1/` | covered | 501 |',
    '|---|---|---|',
    ...rows,
    '',
    `501 as a whole: ${list(others)}.`,
  ].join('\n')
}

/** `coverage.md`: for each covered operation, the parameters that it takes and those that answer 501. */
export function renderCoverage(): string {
  const rows = covered.map(({ method, path, params }) => {
    return `| ${code(`${method} ${path}`)} | ${list(params?.covered ?? [])} | ${list(params?.uncovered ?? [])} |`
  })
  return [
    '# What the Stripe emulator takes',
    '',
    'Generated from its endpoints by `npm run docs`. `expand` is taken everywhere. A parameter in the last column is one of Stripe’s that answers 501 with',
    'its name; `a[b]` is `b` inside `a`. Any other name answers 400 `parameter_unknown`, as at Stripe. An operation that is not here, and some values of parameters, answer 501 too.',
    '',
    '| operation | takes | 501 |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
