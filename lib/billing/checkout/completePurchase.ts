import { reasonOf } from '../../core/errors.ts'
import { forgetDeletedCustomer } from '../customer/customer.ts'
import { BillingError } from '../errors.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isDeclined, isEnded, isRefundDue } from '../gateway/subscription.ts'
import { commitChange } from '../slot/commitChange.ts'
import type { SlotChange } from '../slot/ports.ts'
import { project } from '../slot/projection.ts'
import { removeSubscription } from '../slot/removeSubscription.ts'
import { type HeldSlot, isFree, isHeld, leaseReleased, purchaseOf, type Slot } from '../slot/slot.ts'
import { toFree, toSubscription } from '../slot/slotChange.ts'
import { bought, type CartLine, refused, refusedBy } from './cartLine.ts'
import type { PurchaseContext } from './checkoutRun.ts'
import { type Outcome, submitPurchase } from './submitPurchase.ts'
import type { ClaimedLine } from './takeOver.ts'

/** The slot of a purchase that was never made or has ended since, free for a new one. */
export interface ReleasedSlot {
  released: Slot
  /** The price of the purchase is not sold any more: the list has to be asked for anew. */
  stalePrices?: true
}

/** The slot of an unpaid purchase that another request made: this one may pay its invoice. */
export interface IncompleteSlot {
  incomplete: HeldSlot
}

export type Completed = CartLine | ReleasedSlot | IncompleteSlot

/**
 * Submits a claimed purchase, or finds out what came of an earlier one, and settles it. Never throws: where the outcome is not
 * known or cannot be written, the line is `gateway_unavailable` and the same request finds the same purchase again.
 */
export async function completePurchase(
  context: PurchaseContext,
  line: ClaimedLine,
  customerId: string,
): Promise<Completed> {
  const outcome = await submitPurchase(context.deps, line, customerId, context.deadline)
  try {
    return await settle(context, line, outcome, customerId)
  } catch (error) {
    // The store is unavailable: the slot stays pending.
    context.deps.logger.error('Purchase not settled', { ...purchaseOf(line.slot), reason: reasonOf(error) })
    return refused(line.code, 'gateway_unavailable')
  }
}

async function settle(
  context: PurchaseContext,
  line: ClaimedLine,
  outcome: Outcome,
  customerId: string,
): Promise<Completed> {
  switch (outcome.kind) {
    case 'subscription':
      return settleSubscription(context, line, outcome.subscription)
    case 'refused':
      return settleRefused(context, line, outcome, customerId)
    case 'absent':
      return freeUnsent(context, line)
    case 'not_executed':
      await commit(context, toFree(line.slot))
      return refused(line.code, 'gateway_unavailable')
    case 'unknown':
      return leaveUnknown(context, line, outcome)
  }
}

async function settleRefused(
  context: PurchaseContext,
  line: ClaimedLine,
  { reason, declineCode }: Extract<Outcome, { kind: 'refused' }>,
  customerId: string,
): Promise<CartLine | ReleasedSlot> {
  const change = toFree(line.slot)
  const current = await commit(context, change)
  if (stillPending(line, current)) return refused(line.code, 'gateway_unavailable')
  if (reason === 'price_unavailable' && !current) return { released: change.next, stalePrices: true }
  if (reason === 'customer_missing') await forgetDeletedCustomer(context.deps, context.account, customerId)
  return refusedBy(line.code, reason, declineCode)
}

/** Another invocation took this very purchase over and will free the slot: until then the refusal is not final. */
function stillPending({ slot }: ClaimedLine, current: Slot | null): boolean {
  return current?.state === 'pending' && current.n === slot.n
}

/** Frees the slot of a purchase that was never made. */
export async function freeUnsent(context: PurchaseContext, line: ClaimedLine): Promise<CartLine | ReleasedSlot> {
  const change = toFree(line.slot)
  const current = await commit(context, change)
  return current ? refused(line.code, 'checkout_in_progress') : { released: change.next }
}

async function settleSubscription(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<Completed> {
  if (isDeclined(subscription) || isRefundDue(subscription)) return settleDeclined(context, line, subscription)
  const change = toSubscription(line.slot, subscription, context.deps.clock.now())
  const current = await commit(context, change)
  if (current) return settleLost(context, line, current, subscription)
  return isHeld(change.next) ? resultOf(line, change.next, subscription) : { released: change.next }
}

/** What the purchase of another request bought is not what this one asked for. */
function resultOf({ code, same }: ClaimedLine, slot: HeldSlot, subscription: GatewaySubscription): Completed {
  if (same) return bought(slot, subscription)
  return slot.state === 'incomplete' ? { incomplete: slot } : refused(code, 'already_subscribed')
}

/** Cancels first and frees the slot after, so that a free slot leaves no payable invoice behind. */
export async function settleDeclined(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<CartLine | ReleasedSlot> {
  const removal = await removeSubscription(context.deps, subscription, 'declined')
  if (removal.kind !== 'removed') return leaveUnknown(context, line)
  const change = toFree(line.slot)
  const current = await commit(context, change)
  if (stillPending(line, current)) return refused(line.code, 'gateway_unavailable')
  // The decline of another request's card is no answer to this one.
  if (!line.same) return current ? refused(line.code, 'checkout_in_progress') : { released: change.next }
  const payment = subscription.payment
  return refused(line.code, 'card_declined', payment.kind === 'declined' ? payment.declineCode : null)
}

/**
 * The outcome is not known: releases the lease, so that the next request can take this very purchase over, and records what
 * was learned of its key. To a request that asks for something else, the purchase of the other one is still in progress.
 */
async function leaveUnknown(
  context: PurchaseContext,
  line: ClaimedLine,
  { saved, notExecuted }: Omit<Extract<Outcome, { kind: 'unknown' }>, 'kind'> = {},
): Promise<CartLine> {
  const learned = {
    ...(notExecuted && { lastSent: line.sentBefore }),
    ...(saved && { savedAt: context.deps.clock.now() }),
  }
  await context.deps.records.commit({ next: leaseReleased(line.slot, learned) })
  context.deps.logger.warn('Purchase outcome unknown', purchaseOf(line.slot))
  return refused(line.code, line.same ? 'gateway_unavailable' : 'checkout_in_progress')
}

/**
 * The slot was written since it was claimed: by a webhook that settled it, or by a request that took it over. Where it holds the
 * same subscription, that one is fetched and written again: an answer is older than an event that was projected while it was
 * on its way, or may be newer.
 */
async function settleLost(
  context: PurchaseContext,
  line: ClaimedLine,
  current: Slot,
  mine: GatewaySubscription,
): Promise<Completed> {
  if (current.subscription?.id === mine.id) {
    return isHeld(current) ? settleLatest(context, line, current) : refused(line.code, 'gateway_unavailable')
  }
  const samePurchase = current.n === line.slot.n && (current.state === 'pending' || isFree(current))
  if (samePurchase) return refused(line.code, 'gateway_unavailable')
  if (isEnded(mine.status)) return refused(line.code, isFree(current) ? 'gateway_unavailable' : 'already_subscribed')
  return settleBeside(context, line, current, mine)
}

/**
 * The slot holds or remembers another subscription, or another purchase is under way. Only after a look at that one, as it is now,
 * this one takes its place or is removed.
 */
async function settleBeside(
  context: PurchaseContext,
  line: ClaimedLine,
  slot: Slot,
  mine: GatewaySubscription,
  tries = 3,
): Promise<Completed> {
  const { deps } = context
  const held = isHeld(slot) ? slot.subscription : undefined
  const own = held && (await gatewayOf(deps.gateways, slot).purchases.fetchSubscription(held.id))
  if (own?.kind === 'unknown') return refused(line.code, 'gateway_unavailable')
  const projection = project(slot, mine, deps.clock.now(), own?.kind === 'refused' ? 'missing' : own?.value)
  if (projection.kind !== 'write' || tries === 0) {
    // What this request itself had made is its own surplus. What it found by its metadata may have been made by hand.
    if (line.mode === 'send') await removeSubscription(deps, mine, 'unrecorded')
    else if (projection.kind === 'surplus') await removeSubscription(deps, mine, 'surplus')
    else {
      const why = projection.kind === 'report' ? projection.why : 'the slot kept changing'
      deps.logger.error('Subscription reported', { ...purchaseOf(slot), subscriptionId: mine.id, why })
    }
    return refused(line.code, 'already_subscribed')
  }
  const stored = (await commit(context, projection.change)) ?? projection.change.next
  if (stored.subscription?.id === mine.id) return settleLost(context, line, stored, mine)
  return settleBeside(context, line, stored, mine, tries - 1)
}

/** Fetches the subscription that the slot holds and writes it, again where an event is faster once more. */
async function settleLatest(
  context: PurchaseContext,
  line: ClaimedLine,
  slot: HeldSlot,
  tries = 3,
): Promise<Completed> {
  const latest =
    slot.subscription &&
    (await gatewayOf(context.deps.gateways, slot).purchases.fetchSubscription(slot.subscription.id))
  if (latest?.kind !== 'ok' || tries === 0) return refused(line.code, 'gateway_unavailable')
  const change = toSubscription(slot, latest.value, context.deps.clock.now())
  const current = await commit(context, change)
  const stored = current ?? change.next
  if (stored.subscription?.id !== latest.value.id || !isHeld(stored)) return refused(line.code, 'gateway_unavailable')
  return current ? settleLatest(context, line, stored, tries - 1) : resultOf(line, stored, latest.value)
}

/** One conditional write of slot and coupon. @returns null, or the slot as it is now where another write came first */
async function commit({ deps }: PurchaseContext, change: SlotChange): Promise<Slot | null> {
  const conflict = await commitChange(deps.records, change)
  if (conflict === null) return null
  if (!conflict.slot) {
    throw new BillingError('gateway_unavailable', { message: 'The coupon of this purchase is held by another one' })
  }
  return conflict.slot
}
