import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingDeps } from './ports.ts'
import type { GatewaySubscription } from './subscription.ts'

/**
 * Cancels a live subscription of our own that its slot does not hold, and then refunds what it was paid by then, with an alarm:
 * it should never exist. In this order, so that nothing is paid after the refund; a crash in between leaves a paid invoice of
 * an ended subscription, which the daily reconciliation reports.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(
  deps: Pick<BillingDeps, 'gateway' | 'logger'>,
  orphan: GatewaySubscription,
): Promise<boolean> {
  const canceled = isGone(await deps.gateway.cancelNow(orphan.id))
  const refunded = canceled && (await deps.gateway.refundSubscription(orphan.id)).kind === 'ok'
  deps.logger.error('Orphaned subscription', {
    subscriptionId: orphan.id,
    organizationId: orphan.purchase?.organization_id,
    product: orphan.purchase?.product,
    n: orphan.purchase?.n,
    refunded,
    canceled,
  })
  return canceled && refunded
}

/** Canceled now, or ended before. */
export function isGone(canceled: GatewayAnswer<GatewaySubscription>): boolean {
  return canceled.kind === 'ok' || (canceled.kind === 'refused' && canceled.reason === 'not_found')
}
