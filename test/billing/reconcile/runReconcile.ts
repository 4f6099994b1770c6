import { type ReconcileOptions, type Reconciliation, reconcile } from '../../../lib/billing/reconcile/reconcile.ts'

/** Begins a whole pass with the adapters of the running service. */
export async function runReconcile(options: Partial<ReconcileOptions> = {}): Promise<Reconciliation> {
  const { reconcileDepsFromEnvironment } = await import('../../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  return reconcile(deps, { finishBy: Infinity, begin: true, ...options })
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
