import { reasonOf } from '../../core/errors.ts'
import { forgetDeletedCustomer } from '../customer/customer.ts'
import { BillingError } from '../errors.ts'
import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isDeclined, isEnded, isRefundDue } from '../gateway/subscription.ts'
import { commitChange } from '../slot/commitChange.ts'
import type { Conflict, SlotChange } from '../slot/ports.ts'
import { project, projectOwn } from '../slot/projection.ts'
import { removeSubscription } from '../slot/removeSubscription.ts'
import { type HeldSlot, isFree, isHeld, isOf, leaseReleased, purchaseOf, type Slot } from '../slot/slot.ts'
import { toFree } from '../slot/slotChange.ts'
import { type Synchronized, type SynchronizePolicy, synchronizeSlot } from '../slot/synchronizeSlot.ts'
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

/**
 * Writes a purchase into its slot. If an event or another request wrote the slot first, the purchase is fetched and written over that
 * projection, takes the place of another subscription that has ended, or is removed.
 */
async function settleSubscription(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<Completed> {
  if (isDeclined(subscription) || isRefundDue(subscription)) return settleDeclined(context, line, subscription)
  return synchronizeSlot(context.deps, { slot: line.slot, latest: subscription }, settlePolicy(context, line))
}

/** The holder of the claim writes its purchase; whatever else it finds in the slot is a refused line. */
function settlePolicy({ deps }: PurchaseContext, line: ClaimedLine): SynchronizePolicy<Completed> {
  const unavailable = () => refused(line.code, 'gateway_unavailable')
  const removeOrReport = async ({ slot, latest }: Synchronized, why?: string) => {
    // What this request itself bought is its own surplus. What it found by metadata may have been made by hand.
    if (line.mode === 'send') await removeSubscription(deps, latest, 'unrecorded')
    else if (why === undefined) await removeSubscription(deps, latest, 'surplus')
    else deps.logger.error('Subscription reported', { ...purchaseOf(slot), subscriptionId: latest.id, why })
    return refused(line.code, 'already_subscribed')
  }
  return {
    first: 'answer',
    decide: (slot, latest, now, own) =>
      slot === line.slot ? projectOwn(slot, latest, now) : project(slot, latest, now, own),
    again: (found, conflict) => findAgain(deps, line, found, conflict),
    written: ({ slot, latest }) => (isHeld(slot) ? resultOf(line, slot, latest) : { released: slot }),
    ignored: unavailable,
    surplus: removeOrReport,
    report: removeOrReport,
    unsettled: (found, because) =>
      because === 'own_not_fetched' || isOf(found.slot, found.latest.id)
        ? unavailable()
        : removeOrReport(found, 'the slot kept changing'),
  }
}

/** The slot was written since it was claimed, by a webhook that settled it or by a request that took it over. */
async function findAgain(
  deps: PurchaseContext['deps'],
  { code, slot: claimed }: ClaimedLine,
  { latest }: Synchronized,
  conflict: Conflict,
): Promise<({ kind: 'found' } & Synchronized) | { kind: 'done'; result: CartLine }> {
  const unavailable = { kind: 'done', result: refused(code, 'gateway_unavailable') } as const
  const slot = requireSlot(conflict)
  if (slot.subscription?.id === latest.id) {
    const fetched = isHeld(slot) && (await fetchKnown(gatewayOf(deps.gateways, slot), latest.id))
    return fetched && fetched.kind === 'found' ? { kind: 'found', slot, latest: fetched.subscription } : unavailable
  }
  const samePurchase = slot.n === claimed.n && (slot.state === 'pending' || isFree(slot))
  if (samePurchase || (isEnded(latest.status) && isFree(slot))) return unavailable
  if (isEnded(latest.status)) return { kind: 'done', result: refused(code, 'already_subscribed') }
  return { kind: 'found', slot, latest }
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

/** One conditional write of slot and coupon. @returns null, or the slot as it is now where another write came first */
async function commit({ deps }: PurchaseContext, change: SlotChange): Promise<Slot | null> {
  const conflict = await commitChange(deps.records, change)
  return conflict && requireSlot(conflict)
}

function requireSlot({ slot }: Conflict): Slot {
  if (slot) return slot
  throw new BillingError('gateway_unavailable', { message: 'The coupon of this purchase is held by another one' })
}
