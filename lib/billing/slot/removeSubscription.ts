import { organizationIdSchema } from '../../core/ids.ts'
import { productSchema } from '../catalog.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayFailure } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, hasMoney } from '../gateway/subscription.ts'
import { slotEntry } from './auditOf.ts'
import type { BillingDeps, BillingRecords } from './ports.ts'
import { decideRefund, type RefundDecision, type RemovalCause, refundDueAfter } from './refundPolicy.ts'
import { emptySlot } from './slot.ts'

type RemovalDeps = Pick<BillingDeps, 'gateways' | 'logger'> & { records: Pick<BillingRecords, 'addEntry'> }

/** `removed`: nothing of it is left at the gateway. `unknown`: try again. `keep`: the refund policy says why. */
export type Removal = { kind: 'removed' | 'unknown' } | Extract<RefundDecision, { kind: 'keep' }>

/** If the refund policy says so, cancels a subscription of ours that should not exist and gives its money back. */
export async function removeSubscription(
  deps: RemovalDeps,
  subscription: GatewaySubscription,
  cause: RemovalCause,
): Promise<Removal> {
  const decision = await judgeRemoval(deps, subscription, cause)
  switch (decision.kind) {
    case 'refund':
      return cancelAndRefund(deps, subscription, decision)
    case 'nothing_left':
      await recordRefund(deps, subscription)
      return { kind: 'removed' }
    case 'keep':
    case 'unknown':
      return decision
  }
}

/** Asks the gateway what the refund policy needs to know, and returns the policy's decision. Changes nothing. */
export async function judgeRemoval(
  { gateways }: Pick<RemovalDeps, 'gateways'>,
  subscription: GatewaySubscription,
  cause: RemovalCause,
): Promise<Exclude<RefundDecision, { kind: 'count_purchases' }> | { kind: 'unknown' }> {
  const { invoices, purchases } = gatewayOf(gateways, subscription)
  const listed = cause === 'surplus' ? await invoices.listPaidInvoices(subscription.id) : nothingAsked
  if (listed.kind !== 'ok') return { kind: 'unknown' }
  const evidence = { paid: listed.value }
  const decision = decideRefund(cause, subscription, evidence)
  if (decision.kind !== 'count_purchases') return decision
  const counted = await purchases.countPurchases(subscription.customerId, decision.purchase)
  if (counted.kind !== 'ok') return { kind: 'unknown' }
  const counting = decideRefund(cause, subscription, { ...evidence, purchases: counted.value })
  return counting.kind === 'count_purchases' ? { kind: 'unknown' } : counting
}

const nothingAsked = { kind: 'ok', value: [], replayed: false } as const

/**
 * Cancels first. Then refunds what was paid by then and voids what may still be paid: in this order, nothing is paid after the refund.
 * The cancellation marks the refund as due: if a crash comes in between, the next event makes up for it. If the subscription has money, this
 * raises an alarm, because such a subscription should never exist.
 */
export async function cancelAndRefund(
  deps: RemovalDeps,
  subscription: GatewaySubscription,
  { cause }: Extract<RefundDecision, { kind: 'refund' }>,
): Promise<Removal> {
  const { id, purchase } = subscription
  const { purchases, invoices } = gatewayOf(deps.gateways, subscription)
  const answer = await purchases.cancelNow(id, { kind: 'refund_due' })
  const canceled = isGone(answer)
  const latest = answer.kind === 'ok' ? answer.value : subscription
  const isDone = answer.kind === 'ok' ? !hasMoney(answer.value) : !canceled
  if (cause === 'declined' && isDone) return { kind: canceled ? 'removed' : 'unknown' }
  const refunded = canceled && (await invoices.refundSubscription(id)).kind === 'ok'
  // The open invoice of a declined purchase is nothing unusual.
  if (cause === 'declined' && !latest.wasPaid) return { kind: refunded ? 'removed' : 'unknown' }
  deps.logger.error('Orphaned subscription', {
    subscriptionId: id,
    organizationId: purchase?.organization_id,
    product: purchase?.product,
    n: purchase?.n,
    refunded,
    canceled,
  })
  if (refunded) await recordRefund(deps, latest)
  return { kind: refunded ? 'removed' : 'unknown' }
}

/**
 * Completes a cancellation that a user asked for: voids what may still be paid, and refunds what that user did not know. Repeating it
 * refunds nothing twice.
 * @returns whether a payment went back
 * @throws BillingError `gateway_unavailable`: try again
 */
export async function completeCancellation(deps: RemovalDeps, ended: GatewaySubscription): Promise<boolean> {
  const after = refundDueAfter(ended)
  if (after === undefined) return false
  const { id, purchase } = ended
  const refunded = await gatewayOf(deps.gateways, ended).invoices.refundSubscription(id, after)
  if (refunded.kind === 'unknown') throw gatewayFailure(refunded)
  if (refunded.kind === 'refused') {
    const { organization_id: organizationId, product, n } = purchase ?? {}
    const why = 'canceled, and a payment could not be refunded'
    deps.logger.error('Subscription reported', { organizationId, product, n, subscriptionId: id, why })
    return false
  }
  if (refunded.value > 0) await recordRefund(deps, ended)
  return refunded.value > 0
}

/** Canceled now, or ended before. */
function isGone(canceled: GatewayAnswer<GatewaySubscription>): boolean {
  return canceled.kind === 'ok' || (canceled.kind === 'refused' && canceled.reason === 'not_found')
}

/** Records the refund in the audit log, only once even when it is repeated: the entry follows from the subscription alone. */
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
