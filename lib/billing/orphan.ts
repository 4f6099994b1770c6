import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingDeps } from './ports.ts'
import type { GatewaySubscription } from './subscription.ts'

/**
 * A live subscription that no slot owns gives its payments back and is cancelled, with an alarm: it should never exist. In
 * this order, for an event that is sent again still finds it live and goes on; once cancelled, nothing would pay it back.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(
  deps: Pick<BillingDeps, 'gateway' | 'logger'>,
  orphan: GatewaySubscription,
): Promise<boolean> {
  const refund = await deps.gateway.refundSubscription(orphan.id)
  const cancelled = refund.kind !== 'unknown' && isGone(await deps.gateway.cancelNow(orphan.id))
  deps.logger.error('Orphaned subscription', {
    subscriptionId: orphan.id,
    organizationId: orphan.purchase?.organization_id,
    product: orphan.purchase?.product,
    n: orphan.purchase?.n,
    refunded: refund.kind === 'ok',
    cancelled,
  })
  return cancelled
}

/** Cancelled now, or ended before. */
export function isGone(cancelled: GatewayAnswer<GatewaySubscription>): boolean {
  return cancelled.kind === 'ok' || (cancelled.kind === 'refused' && cancelled.reason === 'not_found')
}
