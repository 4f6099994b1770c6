import { type Reconciliation, reconcile } from '../../lib/billing/reconcile.ts'
import { inInvocation } from '../../lib/http/requestScope.ts'
import { reconcileDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { contract } from './contract.ts'

const deps = await reconcileDepsFromEnvironment()

/** Every day: compares the record with all of the gateway's and repairs what a rule covers. */
export function handler(event: unknown, context: { awsRequestId: string }): Promise<Reconciliation> {
  return inInvocation(context, async () => {
    const { dry_run } = contract.event.parse(event)
    await deps.clock.sync()
    return reconcile(deps, { dryRun: dry_run })
  })
}
