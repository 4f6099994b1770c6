import { type ReconcileOptions, type Reconciliation, reconcile } from '../../lib/billing/reconcile.ts'
import type { BillingStack } from '../support/billingStack.ts'

/** Begins a whole pass with the adapters of the running service. */
export async function runReconcile(
  stack: BillingStack,
  options: Partial<ReconcileOptions> = {},
): Promise<Reconciliation> {
  const { reconcileDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  await answerDisputes(stack)
  return reconcile(deps, { finishBy: Infinity, begin: true, ...options })
}

/** The emulator has no disputes: it lists these instead, the next time it is asked. */
export async function answerDisputes(stack: BillingStack, data: readonly object[] = []): Promise<void> {
  const body = { object: 'list', data, has_more: false, url: '/v1/disputes' }
  await stack.emulator.fault({ method: 'GET', path: '/v1/disputes', kind: 'status', status: 200, body })
}

/** What it says of one organization: remedy, product and whether it was done. */
export function driftOf({ drift }: Reconciliation, organizationId: string): string[] {
  return drift
    .filter((difference) => difference.organizationId === organizationId)
    .map(({ remedy, product, here, there, done }) => `${remedy} ${product}: ${here} -> ${there}${done ? ', done' : ''}`)
}

/** Why each difference of one organization needs a person. */
export function reportsOf({ drift }: Reconciliation, organizationId: string): string[] {
  return drift
    .filter((difference) => difference.organizationId === organizationId && !difference.done)
    .map(({ here, there, why }) => `${why}: ${here} -> ${there}`)
}
