import { reasonOf } from '../core/errors.ts'
import { bought, type CartLine, refused, refusedBy } from './cartLine.ts'
import type { PurchaseContext } from './checkoutRun.ts'
import type { ClaimedLine } from './claim.ts'
import { forgetCustomer } from './customer.ts'
import { BillingError } from './errors.ts'
import { isGone, removeOrphan } from './orphan.ts'
import type { SlotChange } from './ports.ts'
import { isFree, isHeld, leaseReleased, purchaseOf, type Slot } from './slot.ts'
import { toFree, toSubscription } from './slotChange.ts'
import { type Outcome, submitPurchase } from './submitPurchase.ts'
import { type GatewaySubscription, isDeclined, isEnded } from './subscription.ts'

/** The slot of a purchase that was never made or has ended since, free for a new one. */
export interface ReleasedSlot {
  released: Slot
}

/**
 * Submits a claimed purchase, or finds out what came of an earlier one, and settles it. Never throws: where the outcome is not
 * known or cannot be written, the line is `gateway_unavailable` and the same request finds the same purchase again.
 */
export async function completePurchase(
  context: PurchaseContext,
  line: ClaimedLine,
  customerId: string,
): Promise<CartLine | ReleasedSlot> {
  const outcome = await submitPurchase(context.deps, line, customerId, context.deadline)
  try {
    return await settle(context, line, outcome)
  } catch (error) {
    // The store is unavailable: the slot stays pending.
    context.deps.logger.error('Purchase not settled', { ...purchaseOf(line.slot), reason: reasonOf(error) })
    return refused(line.code, 'gateway_unavailable')
  }
}

async function settle(context: PurchaseContext, line: ClaimedLine, outcome: Outcome): Promise<CartLine | ReleasedSlot> {
  switch (outcome.kind) {
    case 'subscription':
      return settleSubscription(context, line, outcome.subscription)
    case 'refused':
      return settleRefused(context, line, outcome)
    case 'absent':
      return settleAbsent(context, line)
    case 'unknown':
      return leaveUnknown(context, line)
  }
}

async function settleRefused(
  context: PurchaseContext,
  line: ClaimedLine,
  { reason, declineCode }: Extract<Outcome, { kind: 'refused' }>,
): Promise<CartLine> {
  const current = await commit(context, toFree(line.slot, context.deps.clock.now()))
  if (stillPending(line, current)) return refused(line.code, 'gateway_unavailable')
  if (reason === 'customer_missing') await forgetCustomer(context.deps, context.account)
  return refusedBy(line.code, reason, declineCode)
}

/** Another invocation took this very purchase over and will free the slot: until then the refusal is not final. */
function stillPending({ slot }: ClaimedLine, current: Slot | null): boolean {
  return current?.state === 'pending' && current.n === slot.n
}

async function settleAbsent(context: PurchaseContext, line: ClaimedLine): Promise<CartLine | ReleasedSlot> {
  const change = toFree(line.slot, context.deps.clock.now())
  const current = await commit(context, change)
  return current ? refused(line.code, 'checkout_in_progress') : { released: change.next }
}

async function settleSubscription(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<CartLine | ReleasedSlot> {
  if (isDeclined(subscription)) return settleDeclined(context, line, subscription)
  const change = toSubscription(line.slot, subscription, context.deps.clock.now())
  const current = await commit(context, change)
  if (current) return settleLost(context, line, current, subscription)
  return isHeld(change.next) ? bought(change.next, subscription) : { released: change.next }
}

/** Cancels first and frees the slot after, so that a free slot leaves no payable invoice behind. */
async function settleDeclined(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<CartLine> {
  const canceled = await context.deps.gateway.cancelNow(subscription.id)
  if (!isGone(canceled)) return leaveUnknown(context, line)
  // Paid in the meantime: the payment is refunded.
  if (canceled.kind === 'ok' && canceled.value.invoicePaid) await removeOrphan(context.deps, canceled.value)
  const current = await commit(context, toFree(line.slot, context.deps.clock.now()))
  if (stillPending(line, current)) return refused(line.code, 'gateway_unavailable')
  const payment = subscription.firstPayment
  return refused(line.code, 'card_declined', payment.kind === 'declined' ? payment.declineCode : null)
}

/** The outcome is not known: releases the lease, so that the next request can take this very purchase over. */
async function leaveUnknown(context: PurchaseContext, line: ClaimedLine): Promise<CartLine> {
  await context.deps.records.commit([{ next: leaseReleased(line.slot) }])
  context.deps.logger.warn('Purchase outcome unknown', purchaseOf(line.slot))
  return refused(line.code, 'gateway_unavailable')
}

/** The slot was written since it was claimed: by a webhook that settled it, or by a request that took it over. */
async function settleLost(
  context: PurchaseContext,
  line: ClaimedLine,
  current: Slot,
  mine: GatewaySubscription,
): Promise<CartLine> {
  const sameSubscription = current.subscription?.id === mine.id
  if (sameSubscription && isHeld(current)) return bought(current, mine)
  const samePurchase = current.n === line.slot.n && (current.state === 'pending' || isFree(current))
  if (sameSubscription || samePurchase) return refused(line.code, 'gateway_unavailable')
  if (!isEnded(mine.status)) await removeOrphan(context.deps, mine)
  return refused(line.code, isFree(current) ? 'gateway_unavailable' : 'already_subscribed')
}

/** One conditional write of slot, entitlement and coupon. @returns null, or the slot as it is now where another write came first */
async function commit({ deps }: PurchaseContext, change: SlotChange): Promise<Slot | null> {
  const conflict = await deps.records.commit([change])
  if (conflict === null) return null
  const current = conflict.slots[0]
  if (!current) {
    throw new BillingError('gateway_unavailable', { message: 'The coupon of this purchase is held by another one' })
  }
  return current
}
