import { type FunctionRow, manifest } from '../manifest.ts'
import { deliveries, operations } from './calls.ts'
import { type Assumptions, assumptions, dollarsOf, sumOf } from './dollars.ts'
import type { Operation } from './operation.ts'
import { PRICES_OF, type Price, prices } from './prices.ts'
import { dollarsOfMonth, KEYS, type Monthly, watching } from './watching.ts'

const rows: readonly FunctionRow[] = manifest
const priceList: readonly Price[] = Object.values(prices)

/** What if the largest assumptions are wrong. */
const otherwise: Readonly<Record<string, Partial<Assumptions>>> = {
  'time x2': { durationFactor: 2 },
  'KMS x5': { kmsFactor: 5 },
  'items x4': { itemFactor: 4 },
}

const columns = ['api', 'lambda', 'dynamoDb', 'kms', 'logs', 'traffic'] as const

/** The extra cost of a million signatures, if KMS charged the asymmetric price, as for P-256: five times as much. */
const dearerSign = (4 * prices.kmsSignRsa2048.dollars * 1e6).toFixed(2)

/** The whole report: dollars per million of each operation, dollars per month, and the assumptions behind them. */
export function costReport(): string {
  const once = operations.filter(({ monthly }) => monthly === undefined)
  const repeated = operations.filter(({ monthly }) => monthly !== undefined)
  return [
    `Dollars a million of each operation, us-east-1, prices of ${PRICES_OF}, no free tier; Stripe's own fees are not in it.`,
    table(once, () => 1e6),
    `\nDollars a month.`,
    table(repeated, ({ monthly = 0 }) => monthly),
    ...fixedCosts(),
    ...watchingCosts(),
    `\nAssumed, not measured: how long functions run (infra/cost/calls.ts), ${assumptions.coldStarts.share * 100} % cold starts of ${assumptions.coldStarts.milliseconds} ms, ` +
      `answers of ${assumptions.answerBytes} bytes, ${assumptions.platformLogBytes} + ${assumptions.accessLogBytes} bytes of Lambda's and the API's own log.`,
    'Counted by a test: requests to DynamoDB with their kilobytes, KMS calls, requests to Stripe, bytes of log.',
    `Events that reach the webhook until it is paid: ${eventCounts()}.`,
    'Not in it: storage and backups, X-Ray, a firewall, mails.',
    `Sign is priced as of RSA_2048: at the price of ECC_NIST_P256 a million signatures cost ${dearerSign} more.`,
    '\nPrices that were not seen on AWS’s own page, or of which sources differ:',
    ...priceList.flatMap(({ unit, source, verified }) => (verified ? [] : [`  ${unit}: ${source}`])),
  ].join('\n')
}

/** What the page leaves to the report: dollars per million at most. */
const CHEAP = 5

/** The figures of `infra/runbook/cost.md`, as Markdown: dollars per million, rounded, and the operations without a schedule that cost about that. */
export function costFigures(): string {
  const listed = operations.filter(({ monthly }) => monthly === undefined)
  const groups = [...Map.groupBy(listed, (operation) => Math.round(sumOf(dollarsOf(operation)) * 1e6))]
  const lines = groups
    .filter(([dollars]) => dollars > CHEAP)
    .toSorted(([dollars], [others]) => others - dollars)
    .map(
      ([dollars, alike]) => `| $${dollars} | ${alike.map(({ name }) => name.replace(/, (.+)$/, ' ($1)')).join(', ')} |`,
    )
  const cheap = groups.flatMap(([dollars, alike]) => (dollars > CHEAP ? [] : alike)).length
  return ['| a million | operations |', '|---:|---|', ...lines, `| at most $${CHEAP} | ${cheap} others |`].join('\n')
}

/** The number of webhook events of a purchase and of a renewal. */
function eventCounts(): string {
  return Object.entries(deliveries)
    .map(([of, types]) => `${of} ${types.length}`)
    .join(', ')
}

function table(listed: readonly Operation[], times: (operation: Operation) => number): string {
  const lines = listed.map((operation) => {
    const dollars = dollarsOf(operation)
    const variants = Object.values(otherwise).map((change) =>
      sumOf(dollarsOf(operation, { ...assumptions, ...change })),
    )
    return [
      operation.name,
      ...[sumOf(dollars), ...columns.map((column) => dollars[column]), ...variants].map((amount) =>
        (amount * times(operation)).toFixed(2),
      ),
    ]
  })
  return aligned([['', 'total', ...columns, ...Object.keys(otherwise)], ...lines])
}

/** The monthly cost of keys and secrets, even if there are no calls. */
function fixedCosts(): string[] {
  const secrets = new Set(rows.flatMap((row) => row.secrets)).size
  const dollars = KEYS * prices.kmsKeyMonth.dollars + secrets * prices.secretMonth.dollars
  return [`${KEYS} keys and ${secrets} secrets: ${dollars.toFixed(2)}`]
}

/** The monthly cost of watching production, even if there are no calls. */
function watchingCosts(): string[] {
  const all: readonly Monthly[] = Object.values(watching)
  const lines = all.map((one) => [one.name, `${one.count}`, dollarsOfMonth(one).toFixed(2)])
  const total = all.reduce((sum, one) => sum + dollarsOfMonth(one), 0).toFixed(2)
  return [
    '\nAlarms and canaries priced: dollars a month.',
    aligned([['', 'count', 'dollars'], ...lines, ['total', '', total]]),
  ]
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((cell, at) => Math.max(cell.length, widest[at] ?? 0)),
    [],
  )
  const pad = (cell: string, at: number) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))
  return lines.map((line) => line.map(pad).join('  ')).join('\n')
}
