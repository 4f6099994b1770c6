import type { GatewayAnswer } from './gatewayAnswer.ts'
import { gatewayOf } from './gatewayOf.ts'
import type { PaidInvoice } from './gatewayPorts.ts'
import type { BillingDeps } from './ports.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'

/**
 * Cancels a live subscription of our own that its slot does not hold, and then refunds what it was paid by then, with an alarm:
 * it should never exist. In this order, so that nothing is paid after the refund; the cancellation says at the gateway that the
 * refund is due, so that a crash in between is made up for by the next event.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(
  deps: Pick<BillingDeps, 'gateways' | 'logger'>,
  orphan: GatewaySubscription,
): Promise<boolean> {
  const canceled = isGone(await gatewayOf(deps, orphan).purchases.cancelNow(orphan.id, { refundDue: true }))
  const refunded = canceled && (await gatewayOf(deps, orphan).invoices.refundSubscription(orphan.id)).kind === 'ok'
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

/**
 * The same for what projection takes for surplus, where it was paid once at most, as a purchase of ours is within its first day,
 * and no other subscription has its number: one of two was made by hand, with copied metadata. Canceled and refunded already,
 * it is removed.
 */
export async function removeSurplus(
  deps: Pick<BillingDeps, 'gateways' | 'logger'>,
  surplus: GatewaySubscription,
): Promise<'removed' | 'unknown' | 'paid more than once' | 'not surely ours'> {
  const paid = await gatewayOf(deps, surplus).invoices.listPaidInvoices(surplus.id)
  if (paid.kind !== 'ok') return 'unknown'
  if (isEnded(surplus.status) && paid.value.every(({ refunded }) => refunded)) return 'removed'
  if (paid.value.length > 1) return 'paid more than once'
  if (!isEnded(surplus.status)) {
    if (!surplus.purchase) return 'not surely ours'
    const claims = await gatewayOf(deps, surplus).purchases.countPurchases(surplus.customerId, surplus.purchase)
    if (claims.kind !== 'ok') return 'unknown'
    if (claims.value > 1) return 'not surely ours'
  }
  return (await removeOrphan(deps, surplus)) ? 'removed' : 'unknown'
}

/**
 * Whether an ended subscription, which its slot does not have, kept a payment that no slot recorded: it was paid after its end, or
 * was never its slot's own.
 * @param own the slot's own subscription, where it has one
 */
export function keptPayment(
  ended: GatewaySubscription,
  own: GatewaySubscription | undefined,
  paid: readonly PaidInvoice[],
): boolean {
  const kept = paid.filter(({ refunded }) => !refunded)
  if (kept.length === 0) return false
  const { createdAt, endedAt, purchase } = ended
  const end = endedAt ?? createdAt
  if (own === undefined || kept.some(({ paidAt }) => paidAt > end)) return true
  // A slot has one subscription after the other: one that is newer than its own, or was live beside that, it never had.
  return createdAt > own.createdAt || (end > own.createdAt && purchase?.n !== own.purchase?.n)
}

/** Canceled now, or ended before. */
export function isGone(canceled: GatewayAnswer<GatewaySubscription>): boolean {
  return canceled.kind === 'ok' || (canceled.kind === 'refused' && canceled.reason === 'not_found')
}
