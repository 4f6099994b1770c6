import { parseArgs } from 'node:util'
import { adoptSubscription } from '../../lib/billing/adoptSubscription.ts'
import { type BackfillDeps, type Backfilled, backfillCustomers } from '../../lib/billing/backfillCustomers.ts'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { OperateDeps, Operated } from '../../lib/billing/operate.ts'
import { releaseSlot } from '../../lib/billing/releaseSlot.ts'
import type { SlotName } from '../../lib/billing/slot.ts'
import { type OrganizationId, organizationIdSchema } from '../../lib/core/ids.ts'
import { connectToStack } from '../local/connectToStack.ts'
import { runGatewayCommand, termsAskedFor } from './gatewayCommand.ts'

const usage = `npm run operate -- <command> [--dry-run] [--port N | --base URL | --aws]

  release ORGANIZATION PRODUCT                 frees a slot whose subscription Stripe does not know
  adopt ORGANIZATION PRODUCT SUBSCRIPTION      makes a slot hold a live subscription of its organization's customer
  gateway ORGANIZATION invoice --days N        sends an organization invoices, due N days after their date
  gateway ORGANIZATION card                    charges its card
  backfill-customers                           gives customers that lack one the organization's name and an owner's address

Against a running local stack; with --aws against the table, the key and the Stripe account that the environment names
(ACCOUNTS_TABLE for backfill-customers, AUDIT_LOG_TABLE, BILLING_TABLE, CUSTOMER_KEY_ID, STRIPE_SECRET_KEY or its _ARN, AWS credentials). The exit code is 2 where the command is refused.`

type Options = { dryRun: boolean }
type Command = (deps: OperateDeps, name: SlotName, subscriptionId: string, options: Options) => Promise<Operated>

const commands: Readonly<Record<string, { takes: number; run: Command }>> = {
  release: { takes: 2, run: (deps, name, _none, options) => releaseSlot(deps, name, options) },
  adopt: {
    takes: 3,
    run: (deps, name, subscriptionId, options) => adoptSubscription(deps, { ...name, subscriptionId }, options),
  },
}

/** `npm run operate`: ends what no rule ends, by an operator's decision, with an entry in the log. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      port: { type: 'string' },
      base: { type: 'string' },
      aws: { type: 'boolean', default: false },
      days: { type: 'string' },
    },
  })
  const [name = '', ...rest] = positionals
  const dryRun = values['dry-run']
  if (values.days !== undefined && name !== 'gateway') throw new Error('--days is of gateway alone')
  if (name === 'backfill-customers' && rest.length === 0) {
    if (!values.aws) await connectToStack(values)
    return backfill(await backfillDeps(), dryRun)
  }
  if (name === 'gateway' && rest.length === 2) {
    const [organization, gateway] = rest
    const asked = { organizationId: organizationOf(organization), ...termsAskedFor(gateway, values.days) }
    if (!values.aws) await connectToStack(values)
    process.exitCode = await runGatewayCommand(await operateDeps(), asked, { dryRun })
    return
  }
  const command = commands[name]
  if (command === undefined || rest.length !== command.takes) throw new Error(usage)
  const [organization, productName, subscriptionId = ''] = rest
  const organizationId = organizationOf(organization)
  const product = productSchema.safeParse(productName).data
  if (!product) throw new Error(`PRODUCT is one of ${productSchema.options.join(', ')}`)
  if (!values.aws) await connectToStack(values)
  const operated = await command.run(await operateDeps(), { organizationId, product }, subscriptionId, { dryRun })
  print(operated, name, dryRun)
}

function organizationOf(text: string | undefined): OrganizationId {
  const organizationId = organizationIdSchema.safeParse(text).data
  if (!organizationId) throw new Error('ORGANIZATION is an id: a UUID')
  return organizationId
}

/** Imported only now, as below. */
async function backfillDeps(): Promise<BackfillDeps> {
  const { backfillDepsFromEnvironment } = await import('../../lib/runtime/customers.ts')
  return backfillDepsFromEnvironment()
}

/** Prints every customer that lacked something, never what it was given; the exit code is 2 where one still does. */
async function backfill(deps: BackfillDeps, dryRun: boolean): Promise<void> {
  const outcomes: Backfilled['outcome'][] = []
  for await (const page of backfillCustomers(deps, { dryRun })) {
    if (page.length > 0) console.table(page.map(({ added, ...row }) => ({ ...row, added: added.join(', ') })))
    outcomes.push(...page.map(({ outcome }) => outcome))
  }
  const counts = Map.groupBy(outcomes, (outcome) => outcome)
  console.log(`${outcomes.length} customers lacked a name or an email address`)
  for (const [outcome, { length }] of counts) console.log(`${outcome}: ${length}`)
  process.exitCode = outcomes.every((outcome) => outcome === 'completed' || outcome === 'would be completed') ? 0 : 2
}

/** Imported only now: it reads the environment that the stack, or the shell, has set. */
async function operateDeps(): Promise<OperateDeps> {
  const { reconcileDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  return deps
}

function print(operated: Operated, command: string, dryRun: boolean): void {
  if (operated.kind === 'done') {
    const { from, to, subscriptionId } = operated
    const verb = dryRun ? 'would be' : 'was'
    console.log(
      `${command}: the slot ${verb} ${from.state}, n=${from.n} -> ${to.state}, n=${to.n} ${subscriptionId ?? ''}`,
    )
    return
  }
  console.error(`${command} ${operated.kind}: ${operated.why}`)
  process.exitCode = operated.kind === 'refused' ? 2 : 1
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
