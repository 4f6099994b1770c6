import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingDeps } from './ports.ts'
import type { GatewaySubscription } from './subscription.ts'

/**
 * Refunds and cancels a live subscription that no slot holds, with an alarm: it should never exist. In this order, because an
 * event that is sent again still finds it live and repeats both; once canceled, nothing would refund it.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(
  deps: Pick<BillingDeps, 'gateway' | 'logger'>,
  orphan: GatewaySubscription,
): Promise<boolean> {
  const refund = await deps.gateway.refundSubscription(orphan.id)
  const canceled = refund.kind !== 'unknown' && isGone(await deps.gateway.cancelNow(orphan.id))
  deps.logger.error('Orphaned subscription', {
    subscriptionId: orphan.id,
    organizationId: orphan.purchase?.organization_id,
    product: orphan.purchase?.product,
    n: orphan.purchase?.n,
    refunded: refund.kind === 'ok',
    canceled,
  })
  return canceled
}

/** Canceled now, or ended before. */
export function isGone(canceled: GatewayAnswer<GatewaySubscription>): boolean {
  return canceled.kind === 'ok' || (canceled.kind === 'refused' && canceled.reason === 'not_found')
}
