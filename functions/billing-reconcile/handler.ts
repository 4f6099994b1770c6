import type * as z from 'zod/mini'
import type { Drift } from '../../lib/billing/reconcile/drift.ts'
import { totalsOf } from '../../lib/billing/reconcile/overdue.ts'
import type { OverdueTotal } from '../../lib/billing/reconcile/pass.ts'
import { reconcile } from '../../lib/billing/reconcile/reconcile.ts'
import { toRfc3339 } from '../../lib/core/clock.ts'
import { passCheck } from '../../lib/http/endpoint/releaseCheck.ts'
import { type InvocationContext, inInvocation } from '../../lib/http/endpoint/requestScope.ts'
import { reconcileDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { stripeSecretKey } from '../../lib/runtime/secrets.ts'
import { contract } from './contract.ts'

const [deps, stripeKey] = [await reconcileDepsFromEnvironment(), stripeSecretKey()]

type Report = z.output<typeof contract.report>
type DriftReport = Extract<Report, { drift: unknown }>['drift'][number]

/** Continues the daily comparison of the record with the gateway, or begins it if it is due. Repairs a difference if a rule covers it. */
export function handler(event: unknown, context: InvocationContext): Promise<Report> {
  return inInvocation(context, async () => {
    const { dry_run: dryRun, adopt_only: adoptOnly, begin, release_check: isCheck } = contract.event.parse(event)
    if (isCheck) return passCheck(stripeKey.current(), deps.passes.readPass())
    await deps.clock.sync()
    const finishBy = deps.clock.now() + context.getRemainingTimeInMillis()
    const { state, counts, drift, overdue } = await reconcile(deps, { finishBy, dryRun, begin, adoptOnly })
    return {
      state,
      counts: counts ?? null,
      drift: drift.map(toDrift),
      overdue: overdue.map((sum) => ({ ...toSum(sum), organization_id: sum.organizationId })),
      overdue_totals: totalsOf(overdue).map(toSum),
    }
  })
}

function toDrift({ organizationId, subscriptionId, ...drift }: Drift): DriftReport {
  return { ...drift, organization_id: organizationId, subscription_id: subscriptionId }
}

function toSum({ currency, amount, invoices, since }: OverdueTotal) {
  return { currency, amount, invoices, since: toRfc3339(since * 1000) }
}
