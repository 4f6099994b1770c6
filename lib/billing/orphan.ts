import type { BillingDeps } from './ports.ts'
import type { GatewaySubscription } from './subscription.ts'

/**
 * A live subscription that no slot owns is cancelled and its payments are given back, with an alarm: it should never exist.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(
  deps: Pick<BillingDeps, 'gateway' | 'logger'>,
  orphan: GatewaySubscription,
): Promise<boolean> {
  const cancelled = await deps.gateway.cancelNow(orphan.id)
  const gone = cancelled.kind === 'ok' || (cancelled.kind === 'refused' && cancelled.reason === 'not_found')
  const refunded = gone && (await deps.gateway.refundSubscription(orphan.id)).kind === 'ok'
  deps.logger.error('Orphaned subscription', {
    subscriptionId: orphan.id,
    organizationId: orphan.purchase?.organization_id,
    product: orphan.purchase?.product,
    n: orphan.purchase?.n,
    cancelled: gone,
    refunded,
  })
  return refunded
}
