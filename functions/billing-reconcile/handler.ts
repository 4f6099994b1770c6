import { type Reconciliation, reconcile } from '../../lib/billing/reconcile.ts'
import { reconcileDepsFromEnvironment } from '../../lib/runtime/billing.ts'

const deps = await reconcileDepsFromEnvironment()

/** Every day: compares the record with all of the gateway's and repairs what a rule covers. */
export async function handler(): Promise<Reconciliation> {
  await deps.clock.sync()
  return reconcile(deps, { dryRun: false })
}
