import { parseArgs, styleText } from 'node:util'
import * as z from 'zod'
import { connectToStack } from '../local/connectToStack.ts'
import { setEnvironment } from '../local/functionEnvironment.ts'
import { invokeFunction } from '../local/invokeFunction.ts'
import { findRow } from '../local/router.ts'

/** The part of the function's report that is printed. */
const report = z.object({
  undelivered_events: z.int(),
  subscriptions: z.int(),
  held_slots: z.int(),
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
})

/**
 * `npm run reconcile -- [--dry-run] [--port N | --base URL | --aws]`: runs `billing-reconcile` and prints its report as a
 * table. Against a running local stack, or with `--aws` against the table and the Stripe account that the environment
 * names (`BILLING_TABLE`, `STRIPE_SECRET_KEY` or its `_ARN`, AWS credentials). The exit code is 2 where drift remains.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      port: { type: 'string' },
      base: { type: 'string' },
      aws: { type: 'boolean', default: false },
    },
  })
  const row = findRow('billing-reconcile')
  if (row === undefined) throw new Error('the manifest has no billing-reconcile')
  // The table holds everything that the log would.
  if (values.aws) setEnvironment({ POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' })
  else await connectToStack(values, { quiet: true })
  const reconciliation = report.parse(await invokeFunction(row, { dry_run: values['dry-run'] }))
  print(reconciliation, values['dry-run'])
  process.exitCode = reconciliation.drift.every(({ done }) => done) ? 0 : 2
}

function print({ drift, ...counts }: z.infer<typeof report>, dryRun: boolean): void {
  const { subscriptions, held_slots, undelivered_events } = counts
  console.log(
    `${subscriptions} subscriptions at Stripe, ${held_slots} held slots, ${undelivered_events} undelivered events`,
  )
  if (drift.length === 0) {
    console.log(styleText('green', 'no drift'))
    return
  }
  console.table(
    drift.map(({ organization_id, product, subscription_id, here, there, remedy, why, done }) => ({
      organization: organization_id ?? '',
      product: product ?? '',
      subscription: subscription_id ?? '',
      here,
      'at Stripe': there,
      [dryRun ? 'would' : 'did']: remedy === 'report' || dryRun || done ? remedy : `${remedy}: failed`,
      why,
    })),
  )
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
