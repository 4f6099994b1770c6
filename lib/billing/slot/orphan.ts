import { organizationIdSchema } from '../../core/ids.ts'
import { productSchema } from '../catalog.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { PaidInvoice } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import { slotEntry } from './auditOf.ts'
import type { BillingDeps, BillingRecords } from './ports.ts'
import { emptySlot } from './slot.ts'

type RemovalDeps = Pick<BillingDeps, 'gateways' | 'logger'> & { records: Pick<BillingRecords, 'addEntry'> }

/**
 * Cancels a live subscription of our own that its slot does not hold, and then refunds what it was paid by then and voids what may
 * still be paid, with an alarm: it should never exist. In this order, so that nothing is paid after the refund; the cancellation says
 * at the gateway that the refund is due, so that a crash in between is made up for by the next event.
 * @returns whether nothing of it is left at the gateway
 */
export async function removeOrphan(deps: RemovalDeps, orphan: GatewaySubscription): Promise<boolean> {
  const { purchases, invoices } = gatewayOf(deps.gateways, orphan)
  const answer = await purchases.cancelNow(orphan.id, { refundDue: true })
  const canceled = isGone(answer)
  const refunded = canceled && (await invoices.refundSubscription(orphan.id)).kind === 'ok'
  deps.logger.error('Orphaned subscription', {
    subscriptionId: orphan.id,
    organizationId: orphan.purchase?.organization_id,
    product: orphan.purchase?.product,
    n: orphan.purchase?.n,
    refunded,
    canceled,
  })
  if (refunded) await recordRefund(deps, answer.kind === 'ok' ? answer.value : orphan)
  return canceled && refunded
}

/**
 * The same for what projection takes for surplus, where it was paid once at most, as a purchase of ours is within its first day,
 * and no other subscription has its number: one of two was made by hand, with copied metadata. Canceled and refunded already,
 * it is removed.
 */
export async function removeSurplus(
  deps: RemovalDeps,
  surplus: GatewaySubscription,
): Promise<'removed' | 'unknown' | 'paid more than once' | 'paid outside the gateway' | 'not surely ours'> {
  const paid = await gatewayOf(deps.gateways, surplus).invoices.listPaidInvoices(surplus.id)
  if (paid.kind !== 'ok') return 'unknown'
  if (isRemoved(surplus, paid.value)) {
    await recordRefund(deps, surplus)
    return 'removed'
  }
  if (paid.value.length > 1) return 'paid more than once'
  if (paid.value.some(({ refundable }) => !refundable)) return 'paid outside the gateway'
  if (!isEnded(surplus.status)) {
    if (!surplus.purchase) return 'not surely ours'
    const claims = await gatewayOf(deps.gateways, surplus).purchases.countPurchases(
      surplus.customerId,
      surplus.purchase,
    )
    if (claims.kind !== 'ok') return 'unknown'
    if (claims.value > 1) return 'not surely ours'
  }
  return (await removeOrphan(deps, surplus)) ? 'removed' : 'unknown'
}

/** Whether nothing of a surplus subscription is left: it has ended, all that was paid went back, and no invoice waits for its payment. */
export function isRemoved({ status, payment }: GatewaySubscription, paid: readonly PaidInvoice[]): boolean {
  return isEnded(status) && payment.kind !== 'invoice_open' && paid.every(({ refunded }) => refunded)
}

/** Says in the audit log what was given back, once: what the entry holds follows from the subscription alone. */
async function recordRefund({ records }: RemovalDeps, { purchase, wasPaid, endedAt, createdAt }: GatewaySubscription) {
  const organizationId = organizationIdSchema.safeParse(purchase?.organization_id).data
  const product = productSchema.safeParse(purchase?.product).data
  if (!purchase || !organizationId || !product || !wasPaid) return
  const actor = { type: 'system', id: null } as const
  const { plan_code, n } = purchase
  const surplus = { ...emptySlot(organizationId, product), n }
  const done = { action: 'subscription.refunded', actor, detail: { plan_code, n } } as const
  await records.addEntry(slotEntry(surplus, done, (endedAt ?? createdAt) * 1000))
}

/**
 * Whether an ended subscription, which its slot does not have, kept a payment that no slot recorded: it was paid after its end, or
 * was never its slot's own. An invoice that was sent to be paid later was owed at the end, and may be paid after it.
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
  if (own === undefined || kept.some(({ paidAt, paidLater }) => paidAt > end && !paidLater)) return true
  // A slot has one subscription after the other: one that is newer than its own, or was live beside that, it never had.
  return createdAt > own.createdAt || (end > own.createdAt && purchase?.n !== own.purchase?.n)
}

/** Canceled now, or ended before. */
export function isGone(canceled: GatewayAnswer<GatewaySubscription>): boolean {
  return canceled.kind === 'ok' || (canceled.kind === 'refused' && canceled.reason === 'not_found')
}
