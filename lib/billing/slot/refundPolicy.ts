import { planCodes } from '../catalog.ts'
import type { PaidInvoice } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, isEnded, unpaidStates } from '../gateway/subscription.ts'
import { DAY, QUIET_PERIOD } from '../timing.ts'
import { isOf, type Slot } from './slot.ts'

/**
 * Why a subscription of ours is removed:
 * - `declined`: the bank declined its first payment. If a payment arrives before the cancellation, it goes back.
 * - `unrecorded`: this very invocation bought it, and its slot holds another subscription by now.
 * - `surplus`: it is live beside the slot's own (`isSurplus`), or a crash left its refund due.
 */
export type RemovalCause = 'declined' | 'unrecorded' | 'surplus'

/** What must be known before surplus is refunded. `purchases`: how many subscriptions say that they are this purchase. */
interface RefundEvidence {
  paid: readonly PaidInvoice[]
  purchases?: number
}

/** Whether to cancel a subscription and send its money back; if not, `why` says the reason in words. */
export type RefundDecision =
  | { kind: 'refund'; cause: RemovalCause }
  /** It has ended, and nothing of its money is kept. */
  | { kind: 'nothing_left' }
  /** Ask the gateway how many subscriptions say that they are this purchase, then decide again. */
  | { kind: 'count_purchases'; purchase: NonNullable<GatewaySubscription['purchase']> }
  | { kind: 'keep'; why: 'paid more than once' | 'paid outside the gateway' | 'not surely ours' }

/**
 * The only rule that sends money back. A person's refund, a chargeback, and a payment for anything that is not surely our own surplus are
 * reported, never acted on. Within its first day a purchase of ours is paid at most once, and its key makes only a single subscription. If
 * surplus was paid twice, or its purchase has a second subscription, a person edited or copied it.
 */
export function decideRefund(
  cause: RemovalCause,
  subscription: GatewaySubscription,
  { paid, purchases }: RefundEvidence,
): RefundDecision {
  if (cause !== 'surplus') return { kind: 'refund', cause }
  if (isRemoved(subscription, paid)) return { kind: 'nothing_left' }
  if (paid.length > 1) return { kind: 'keep', why: 'paid more than once' }
  if (paid.some(({ refundable }) => !refundable)) return { kind: 'keep', why: 'paid outside the gateway' }
  if (isEnded(subscription.status)) return { kind: 'refund', cause }
  if (!subscription.purchase) return { kind: 'keep', why: 'not surely ours' }
  if (purchases === undefined) return { kind: 'count_purchases', purchase: subscription.purchase }
  return purchases > 1 ? { kind: 'keep', why: 'not surely ours' } : { kind: 'refund', cause }
}

/** Whether nothing is left of a surplus subscription: it has ended, all payments went back, and no invoice can still be paid. */
function isRemoved({ status, payment }: GatewaySubscription, paid: readonly PaidInvoice[]): boolean {
  return isEnded(status) && payment.kind !== 'invoice_open' && paid.every(({ refunded }) => refunded)
}

/**
 * Whether a live subscription is surely a purchase of this slot that should not exist beside the slot's own subscription. The slot itself must
 * have claimed its number, and have claimed a later number since. Anyone with access to the Dashboard can edit and copy metadata. So a
 * subscription is no surplus if it is older than a day, has the number of the slot's own, or was made well after a later purchase.
 */
export function isSurplus(
  slot: Slot,
  { purchase, createdAt }: GatewaySubscription,
  own: GatewaySubscription,
  now: number,
): boolean {
  if (!purchase || !own.purchase) return false
  const ofThisSlot = purchase.organization_id === slot.organizationId && purchase.plan_code === planCodes[slot.product]
  const claimedHere = purchase.n > (slot.raisedTo ?? 0) && purchase.n < slot.n && own.purchase.n <= slot.n
  const inTime = createdAt * 1000 > now - DAY && createdAt * 1000 < own.createdAt * 1000 + QUIET_PERIOD
  return ofThisSlot && claimedHere && purchase.n !== own.purchase.n && inTime
}

/**
 * The time after which a payment is not in the record (Unix seconds): a user who cancels at once by what the slot shows does not know it, and
 * gets it back. A renewal is paid after the period that the slot shows. Undefined if the slot does not show it.
 */
export function refundAfter(slot: Slot, subscriptionId: string): number | undefined {
  if (!isOf(slot, subscriptionId)) return 0
  const { coveredUntil, currentPeriodEnd } = slot.subscription
  if (unpaidStates.some((state) => state === slot.state)) return coveredUntil
  return currentPeriodEnd === null ? undefined : Math.max(coveredUntil, currentPeriodEnd)
}

/**
 * The time after which the payments of an ended subscription go back, because the user who canceled it at once did not know them;
 * undefined if nothing is left to refund or to void. The latest invoice is enough to decide: it is the only open invoice, except when a
 * subscription was `unpaid`, whose latest invoice is a draft.
 */
export function refundDueAfter({ status, requested, invoicePaidAt }: GatewaySubscription): number | undefined {
  const after = requested?.change === 'cancel' && isEnded(status) ? requested.refundAfter : undefined
  return after !== undefined && (invoicePaidAt ?? Number.POSITIVE_INFINITY) > after ? after : undefined
}

/**
 * Whether an ended subscription that its slot does not hold kept a payment that no slot recorded. Such a payment is reported, for only a
 * person can find out what it was for. A payment is kept if it came after the end, or if the subscription was never its slot's own. An invoice that was sent to
 * be paid later was owed at the end, and may be paid after it.
 * @param own the slot's own subscription, if it has one
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
  // A slot holds its subscriptions in turn. If this subscription is newer than the slot's own, or was live beside it, the slot never held it.
  return createdAt > own.createdAt || (end > own.createdAt && purchase?.n !== own.purchase?.n)
}
