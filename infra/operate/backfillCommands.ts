import { listOlderInvitations } from '../../lib/adapters/dynamodb/invitedAddress.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { type Backfilled, backfillCustomers } from '../../lib/billing/operate/backfillCustomers.ts'
import { environment } from '../../lib/runtime/environment.ts'
import type { Run } from './command.ts'

/** `backfill-customers`. Prints every customer that lacked a detail, but not the detail. Exits with 2 if a customer still lacks it. */
export const backfill: Run = async (_none, { dryRun, connect }) => {
  await connect()
  const { backfillDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const outcomes: Backfilled['outcome'][] = []
  for await (const page of backfillCustomers(await backfillDepsFromEnvironment(), { dryRun })) {
    if (page.length > 0) console.table(page.map(({ added, ...row }) => ({ ...row, added: added.join(', ') })))
    outcomes.push(...page.map(({ outcome }) => outcome))
  }
  const counts = Map.groupBy(outcomes, (outcome) => outcome)
  console.log(`${outcomes.length} customers lacked a name or an email address`)
  for (const [outcome, { length }] of counts) console.log(`${outcome}: ${length}`)
  return outcomes.every((outcome) => outcome === 'completed' || outcome === 'would be completed') ? 0 : 2
}

/** `backfill-invitations`: lists invitations by their address if they are from before the service did so. Prints no address. */
export const backfillInvitations: Run = async (_none, { dryRun, connect }) => {
  await connect()
  const { AWS_REGION, BILLING_TABLE } = environment
  const documents = createDocumentClient({ region: AWS_REGION })
  try {
    const listed = await listOlderInvitations(documents, BILLING_TABLE, { dryRun })
    console.log(`${listed} invitations ${dryRun ? 'would be' : 'were'} listed by their address`)
    return 0
  } finally {
    documents.destroy()
  }
}
