import type * as z from 'zod'
import type { Drift } from '../../lib/billing/drift.ts'
import { reconcile } from '../../lib/billing/reconcile.ts'
import { inInvocation } from '../../lib/http/requestScope.ts'
import { reconcileDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { contract } from './contract.ts'

const deps = await reconcileDepsFromEnvironment()

type Report = z.output<typeof contract.report>

/** Every day: compares the record with everything at the gateway and repairs what a rule covers. */
export function handler(event: unknown, context: { awsRequestId: string }): Promise<Report> {
  return inInvocation(context, async () => {
    const { dry_run: dryRun } = contract.event.parse(event)
    await deps.clock.sync()
    const { undeliveredEvents, subscriptions, heldSlots, drift } = await reconcile(deps, { dryRun })
    return {
      undelivered_events: undeliveredEvents,
      subscriptions,
      held_slots: heldSlots,
      drift: drift.map(toDrift),
    }
  })
}

function toDrift({ organizationId, subscriptionId, ...drift }: Drift): Report['drift'][number] {
  return { ...drift, organization_id: organizationId, subscription_id: subscriptionId }
}
