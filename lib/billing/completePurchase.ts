import { reasonOf } from '../core/errors.ts'
import type { UserId } from '../core/ids.ts'
import { bought, type CartLine, refused, refusedBy } from './cartLine.ts'
import { forgetCustomer } from './customer.ts'
import { BillingError } from './errors.ts'
import { isGone, removeOrphan } from './orphan.ts'
import type { BillingAccount, BillingDeps, SlotChange } from './ports.ts'
import { isFree, leaseReleased, type Slot } from './slot.ts'
import { toFree, toSubscription } from './slotChange.ts'
import { type Outcome, type PurchaseMode, submitPurchase } from './submitPurchase.ts'
import { type GatewaySubscription, isDeclined, isEnded } from './subscription.ts'

/** Whose purchase is carried out, and by when it must be settled (Unix milliseconds). */
export interface PurchaseContext {
  readonly deps: BillingDeps
  readonly account: BillingAccount
  readonly deadline: number
}

/** One checkout request: who buys for which organization, and with what. */
export interface CheckoutContext extends PurchaseContext {
  readonly userId: UserId
  readonly paymentMethodId: string | undefined
  readonly couponCode: string | undefined
}

/** A pending slot that this request holds, and how its purchase goes on. */
export interface ClaimedLine {
  code: string
  slot: Slot
  mode: PurchaseMode
}

/** The purchase that held the slot came to nothing or has ended since: the slot, free for a new one. */
export interface ReleasedSlot {
  released: Slot
}

/** Sends a claimed purchase, or carries an earlier one on, and settles it. Ends with the slot in a state that can be repeated. */
export async function completePurchase(
  context: PurchaseContext,
  line: ClaimedLine,
  customerId: string,
): Promise<CartLine | ReleasedSlot> {
  const outcome = await submitPurchase(context.deps, line, customerId, context.deadline)
  try {
    return await settle(context, line, outcome)
  } catch (error) {
    // The store is away: the slot stays pending, and the same request sent again finds the same purchase.
    context.deps.logger.error('Purchase not settled', { ...facts(line.slot), reason: reasonOf(error) })
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
      return giveUp(context, line)
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

/** Somebody else carries this very purchase on, and will free the slot: until then the refusal is not final. */
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
  return isEnded(subscription.status) ? { released: change.next } : bought(change.next, subscription)
}

/** Cancels first and frees the slot after, so that nothing payable is left behind a free slot. */
async function settleDeclined(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<CartLine> {
  const cancelled = await context.deps.gateway.cancelNow(subscription.id)
  if (!isGone(cancelled)) return giveUp(context, line)
  // Paid elsewhere in the meantime: what was cancelled is given back.
  if (cancelled.kind === 'ok' && cancelled.value.invoicePaid) await removeOrphan(context.deps, cancelled.value)
  const current = await commit(context, toFree(line.slot, context.deps.clock.now()))
  if (stillPending(line, current)) return refused(line.code, 'gateway_unavailable')
  const payment = subscription.firstPayment
  return refused(line.code, 'card_declined', payment.kind === 'declined' ? payment.declineCode : null)
}

/** The outcome is not known: the lease ends now, and the next request carries this very purchase on. */
async function giveUp(context: PurchaseContext, line: ClaimedLine): Promise<CartLine> {
  await context.deps.records.commit([{ next: leaseReleased(line.slot) }])
  context.deps.logger.warn('Purchase outcome unknown', facts(line.slot))
  return refused(line.code, 'gateway_unavailable')
}

/** Somebody else wrote the slot since it was claimed: a webhook that settled it, or a request that took it over. */
async function settleLost(
  context: PurchaseContext,
  line: ClaimedLine,
  current: Slot,
  mine: GatewaySubscription,
): Promise<CartLine> {
  const sameSubscription = current.subscription?.id === mine.id
  if (sameSubscription && current.state !== 'pending' && !isFree(current)) return bought(current, mine)
  const samePurchase = current.n === line.slot.n && (current.state === 'pending' || isFree(current))
  if (sameSubscription || samePurchase) return refused(line.code, 'gateway_unavailable')
  if (!isEnded(mine.status)) await removeOrphan(context.deps, mine)
  return refused(line.code, isFree(current) ? 'gateway_unavailable' : 'already_subscribed')
}

/** One conditional write of slot, entitlement and coupon. @returns null, or the slot that stands there instead */
async function commit({ deps }: PurchaseContext, change: SlotChange): Promise<Slot | null> {
  const conflict = await deps.records.commit([change])
  if (conflict === null) return null
  const current = conflict.slots[0]
  if (!current) {
    throw new BillingError('gateway_unavailable', { message: 'The coupon of this purchase is held by another one' })
  }
  return current
}

/** Which purchase a log line speaks of. */
export function facts({ organizationId, product, n }: Slot) {
  return { organizationId, product, n }
}
