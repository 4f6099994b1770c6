import { type CoveredOperation, coverage } from 'stripe-emulator'

const operations = coverage()
const first = operations.filter(({ path }) => path.startsWith('/v1/'))
const covered = operations.filter(({ params }) => params !== undefined)
const code = (text: string) => `\`${text}\``
const list = (names: readonly string[]) => names.map(code).join(', ')

/** The parameters of every list, and of every search. */
const common: Readonly<Record<string, readonly string[]>> = {
  paging: ['ending_before', 'limit', 'starting_after'],
  search: ['limit', 'page', 'query'],
}

/** The README's paragraph: how many operations are covered, of which resources. */
export function renderResources(): string {
  const resources = new Set(covered.map(({ path }) => path.split('/')[2] ?? ''))
  return [
    `${covered.length} of the ${first.length} operations under \`/v1\` are covered; [coverage.md](coverage.md) has each with its parameters. They are of`,
    `${list([...resources].sort())}.`,
    'Every other operation, and `/v2`, answers 501.',
  ].join('\n')
}

/** `coverage.md`: each covered operation with the parameters that it takes, and the members of these that it does not take. */
export function renderCoverage(): string {
  const named = Map.groupBy(covered, (operation) => takenBy(operation))
  const alike = (taken: string) => list((named.get(taken) ?? []).map(nameOf))
  const own = covered.filter((operation) => !['', ...Object.keys(common).map(emphasized)].includes(takenBy(operation)))
  return [
    '# What the Stripe emulator takes',
    '',
    'Generated from its endpoints by `npm run docs`. `*` is an id. `expand` is taken everywhere. A parameter or operation of Stripe’s that is not here, and some values, answer 501 with',
    'the name. A name that Stripe does not have answers 400 `parameter_unknown`, as at Stripe.',
    '',
    `- No parameters: ${alike('')}.`,
    ...Object.entries(common).map(
      ([name, params]) => `- Only *${name}* (${list(params)}): ${alike(emphasized(name))}.`,
    ),
    ...own.map((operation) => `- ${code(nameOf(operation))}: ${takenBy(operation)}.`),
    '',
  ].join('\n')
}

function nameOf({ method, path }: CoveredOperation): string {
  return `${method} ${path}`
}

function emphasized(name: string): string {
  return `*${name}*`
}

/** The parameters, those of every list or search by their common name. `a` (not `b`) is `a` without its member `b`. */
function takenBy({ params }: CoveredOperation): string {
  const { covered: taken = [], uncovered = [] } = params ?? {}
  const shared = Object.entries(common).filter(([, names]) => names.every((name) => taken.includes(name)))
  const own = taken.filter((name) => !shared.some(([, names]) => names.includes(name)))
  const membersOf = (name: string) =>
    uncovered.flatMap((param) => (param.startsWith(`${name}[`) ? [param.slice(name.length)] : []))
  const texts = own.map((name) => {
    const left = membersOf(name).map((member) => member.replace(/^\[(.*?)\]/, '$1'))
    return left.length === 0 ? code(name) : `${code(name)} (not ${list(left)})`
  })
  return [...texts, ...shared.map(([name]) => emphasized(name))].join(', ')
}
