import { parseArgs, styleText } from 'node:util'
import * as z from 'zod'
import { setEnvironment } from '../local/functionEnvironment.ts'
import { findRow } from '../local/http/router.ts'
import { invokeFunction } from '../local/invokeFunction.ts'
import { refuseNpmOptions } from '../refuseNpmOptions.ts'
import { runProgram } from '../runProgram.ts'
import { changeOptions, isDryRun } from './command.ts'
import { connect, targetOptions } from './target.ts'

const overdueSum = z.object({ currency: z.string(), amount: z.int(), invoices: z.int(), since: z.string() })

/** The printed part of the function's report. */
const report = z.object({
  state: z.string(),
  counts: z.object({ subscriptions: z.int(), slots: z.int(), drift: z.int(), left: z.int() }).nullable(),
  drift: z.array(
    z.object({
      remedy: z.string(),
      organization_id: z.string().nullable(),
      product: z.string().nullable(),
      subscription_id: z.string().nullable(),
      here: z.string(),
      there: z.string(),
      why: z.string(),
      done: z.boolean(),
    }),
  ),
  overdue: z.array(overdueSum.extend({ organization_id: z.string().nullable() })),
  overdue_totals: z.array(overdueSum),
})
type Report = z.infer<typeof report>

const usage = `npm run reconcile [-- --dry-run] [--adopt-only] [--port N | --base URL]
npm run reconcile -- --aws --stage NAME [--adopt-only] [--apply]

Compares the record with Stripe: a running local stack, or with --aws --stage NAME that stage, as its operator role (infra/README.md, Commands).
Repairs what a rule covers; with --dry-run, and on AWS without --apply, it only prints that. --adopt-only cancels and refunds nothing: the first
pass after a restore. The exit code is 2 if a difference is left, and 1 if the pass did not end.`

const options = {
  help: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  'adopt-only': { type: 'boolean', default: false },
  ...targetOptions,
  apply: { type: 'boolean', default: false },
} as const

/** Runs a whole pass of `billing-reconcile`, and prints its differences as a table, and what organizations owe that is overdue. */
async function main(): Promise<void> {
  refuseNpmOptions('npm run reconcile', changeOptions)
  const { values } = parseArgs({ args: process.argv.slice(2), options })
  if (values.help) return console.log(usage)
  const dryRun = isDryRun(values)
  const row = findRow('billing-reconcile')
  if (row === undefined) throw new Error('the manifest has no billing-reconcile')
  // The printed table has everything that the log would have.
  if (values.aws) setEnvironment({ LOG_LEVEL: 'SILENT', METRICS: 'off' })
  await connect(values, { quiet: true })
  const event = { dry_run: dryRun, adopt_only: values['adopt-only'] }
  let left = 0
  // A run ends before the function's timeout, and the next run continues its pass. A dry run cannot be continued.
  for (let begin = true; ; begin = false) {
    const answer = await invokeFunction(row, { ...event, ...(begin ? { begin } : {}) })
    const { state, counts, drift, ...owed } = report.parse(answer)
    event.adopt_only = false
    left += drift.filter(({ done }) => !done).length
    print(drift, { dryRun })
    if (state === 'continues' && !dryRun) continue
    if (state !== 'complete' || counts === null) {
      throw new Error('The pass did not end: is Stripe available? Run it again.')
    }
    printCounts(counts)
    printOverdue(owed)
    if (dryRun && values.aws) console.log('Nothing was changed: --apply does it.')
    process.exitCode = left > 0 ? 2 : 0
    return
  }
}

function printCounts({ subscriptions, slots, drift }: NonNullable<Report['counts']>): void {
  console.log(`${subscriptions} subscriptions at Stripe, ${slots} held slots, ${drift} differences`)
  if (drift === 0) console.log(styleText('green', 'no drift'))
}

/** Amounts are in the currency's smallest unit. */
function printOverdue({ overdue, overdue_totals: totals }: Pick<Report, 'overdue' | 'overdue_totals'>): void {
  if (overdue.length === 0) return
  console.log('Overdue invoices, in the smallest unit of each currency:')
  const own = overdue.map(({ organization_id: id, ...sum }) => ({ organization: id ?? 'all others', ...sum }))
  console.table([...own, ...totals.map((total) => ({ organization: 'total', ...total }))])
}

function print(drift: Report['drift'], { dryRun }: { dryRun: boolean }): void {
  if (drift.length === 0) return
  console.table(
    drift.map(({ organization_id, product, subscription_id, here, there, remedy, why, done }) => ({
      organization: organization_id ?? '',
      product: product ?? '',
      subscription: subscription_id ?? '',
      here,
      'at Stripe': there,
      remedy,
      done: done ? 'yes' : doneOf(remedy, { dryRun }),
      why,
    })),
  )
}

function doneOf(remedy: string, { dryRun }: { dryRun: boolean }): string {
  if (remedy === 'report') return 'by a person'
  return dryRun ? 'would be' : 'failed'
}

runProgram(main)
