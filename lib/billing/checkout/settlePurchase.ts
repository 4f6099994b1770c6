import { reasonOf } from '../../core/errors.ts'
import { forgetDeletedCustomer } from '../customer/customer.ts'
import { BillingError } from '../errors.ts'
import { type GatewaySubscription, isDeclined, isEnded, isLive, isRefundDue } from '../gateway/subscription.ts'
import type { PaymentResult } from '../slot/payOpenInvoice.ts'
import type { BillingDeps, Conflict } from '../slot/ports.ts'
import { project, projectOwn } from '../slot/projection.ts'
import { type Removal, removeSubscription } from '../slot/removeSubscription.ts'
import { type HeldSlot, isFree, isHeld, isOf, leaseReleased, purchaseOf, type Slot } from '../slot/slot.ts'
import { freeSlot } from '../slot/slotChange.ts'
import { type Again, type Synchronized, type SynchronizePolicy, synchronizeSlot } from '../slot/synchronizeSlot.ts'
import { type AnsweredLine, answered, answeredRefused, bought, type HeldSubscription, refusedBy } from './cartLine.ts'
import type { CheckoutLine } from './claimLines.ts'
import type { ClaimedLine } from './holdSlot.ts'
import type { PurchaseContext } from './readCart.ts'
import type { LineOutcome, Outcome } from './submitPurchase.ts'

/**
 * A line that is answered, or may be bought once more. `free`: its purchase was never made, or has ended since. `price_unavailable`: the same,
 * because the price is not sold any more. `incomplete`: another request made an unpaid purchase, whose invoice this one may pay.
 */
export type Settled =
  | AnsweredLine
  | { kind: 'free' | 'price_unavailable'; code: string; slot: Slot }
  | { kind: 'incomplete'; code: string; slot: HeldSlot }

/** Settles a line of a cart by what came of it. */
export async function settleLine(context: PurchaseContext, line: CheckoutLine, outcome: LineOutcome): Promise<Settled> {
  if (line.kind === 'answered') return line
  if (outcome.kind === 'answered') return outcome
  if (outcome.kind === 'payment') return settlePayment(line.kind === 'held' ? line.line : line, outcome.payment)
  return line.kind === 'held'
    ? settlePurchase(context, line.line, outcome)
    : answeredRefused(line.code, 'gateway_unavailable')
}

/** The line of an unpaid purchase that was bought again. */
function settlePayment({ code }: { code: string }, payment: PaymentResult): Settled {
  switch (payment.kind) {
    case 'paid':
    case 'waiting': {
      const { slot, latest } = payment
      return holdsSlot(latest) ? answered(bought(slot, latest)) : answeredRefused(code, 'gateway_unavailable')
    }
    case 'nothing_to_pay': {
      const { slot, latest } = payment
      if (isLive(latest.status)) return answeredRefused(code, 'already_subscribed')
      if (!isEnded(latest.status)) return answeredRefused(code, 'gateway_refused')
      // Free only by a write that was stored, because that write also gives the coupon back.
      return isFree(slot) && isOf(slot, latest.id)
        ? { kind: 'free', code, slot }
        : answeredRefused(code, 'checkout_in_progress')
    }
    case 'not_payable':
      // Its buyer may be authenticating; if the gateway does not show that, a payment is on its way.
      return answeredRefused(
        code,
        payment.latest.payment.kind === 'requires_action' ? 'coupon_invalid' : 'checkout_in_progress',
      )
    case 'in_progress':
      return answeredRefused(code, 'checkout_in_progress')
    case 'accepted':
    case 'not_fetched':
      return answeredRefused(code, 'gateway_unavailable')
    case 'failed': {
      const { answer } = payment
      return answer.kind === 'refused'
        ? answered(refusedBy(code, answer.reason, answer.declineCode))
        : answeredRefused(code, 'gateway_unavailable')
    }
  }
}

/**
 * Settles a claimed purchase. Never throws: if the outcome is not known or cannot be written, the line is `gateway_unavailable`, and the
 * same request finds the same purchase again.
 */
export async function settlePurchase(context: PurchaseContext, line: ClaimedLine, outcome: Outcome): Promise<Settled> {
  try {
    return await settleOutcome(context, line, outcome)
  } catch (error) {
    // The store is unavailable: the slot stays pending.
    context.deps.logger.error('Purchase not settled', { ...purchaseOf(line.slot), reason: reasonOf(error) })
    return answeredRefused(line.code, 'gateway_unavailable')
  }
}

async function settleOutcome(context: PurchaseContext, line: ClaimedLine, outcome: Outcome): Promise<Settled> {
  const { code } = line
  switch (outcome.kind) {
    case 'subscription':
      return settleSubscription(context, line, outcome.subscription)
    case 'refused':
      return settleRefused(context, line, outcome)
    case 'absent': {
      const freed = await freeLine(context, line)
      return freed.kind === 'freed'
        ? { kind: 'free', code, slot: freed.slot }
        : answeredRefused(code, 'checkout_in_progress')
    }
    case 'not_executed':
      await freeLine(context, line)
      return answeredRefused(code, outcome.error)
    case 'unknown':
      return leaveUnknown(context, line, outcome)
  }
}

async function settleRefused(
  context: PurchaseContext,
  line: ClaimedLine,
  { reason, declineCode, customerId }: Extract<Outcome, { kind: 'refused' }>,
): Promise<Settled> {
  const { code } = line
  const freed = await freeLine(context, line)
  if (freed.kind === 'taken_over') return answeredRefused(code, 'gateway_unavailable')
  if (reason === 'price_unavailable' && freed.kind === 'freed') return { kind: reason, code, slot: freed.slot }
  if (reason === 'customer_missing' && customerId)
    await forgetDeletedCustomer(context.deps, context.account, customerId)
  return answered(refusedBy(code, reason, declineCode))
}

/**
 * Writes a purchase into its slot. If an event or another request wrote the slot first, the purchase is fetched and written over that
 * projection, takes the place of another subscription that has ended, or is removed. A declined purchase is given up, but not if it has a
 * coupon: the gateway counts a redemption for good, so its invoice stays open for another card.
 */
async function settleSubscription(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<Settled> {
  const isGivenUp = isDeclined(subscription) && line.slot.coupon === undefined
  if (isGivenUp || isRefundDue(subscription)) return settleDeclined(context, line, subscription)
  return synchronizeSlot(context.deps, { slot: line.slot, latest: subscription }, settlePolicy(context, line))
}

/** The holder of the claim writes its purchase; whatever else it finds in the slot is a refused line. */
function settlePolicy({ deps }: PurchaseContext, line: ClaimedLine): SynchronizePolicy<Settled> {
  const unavailable = () => answeredRefused(line.code, 'gateway_unavailable')
  const removeOrReport = async ({ slot, latest }: Synchronized, why?: string) => {
    if (why === undefined || line.mode === 'send') await remove(deps, line, latest, 'not_held')
    else deps.logger.error('Subscription reported', { ...purchaseOf(slot), subscriptionId: latest.id, why })
    return answeredRefused(line.code, 'already_subscribed')
  }
  return {
    first: 'answer',
    decide: (slot, latest, now, own) =>
      slot === line.slot ? projectOwn(slot, latest, now) : project(slot, latest, now, own),
    again: (found, conflict) => findAgain(line, found, conflict),
    written: ({ slot, latest }) => settledBy(line, slot, latest),
    ignored: unavailable,
    surplus: removeOrReport,
    report: removeOrReport,
    unsettled: (found, because) =>
      because === 'not_fetched' || isOf(found.slot, found.latest.id)
        ? unavailable()
        : removeOrReport(found, 'the slot kept changing'),
  }
}

/** What this request itself bought is its own surplus. What it found by metadata may have been made by hand. */
function remove(
  deps: BillingDeps,
  { mode }: ClaimedLine,
  subscription: GatewaySubscription,
  because: 'declined' | 'not_held',
): Promise<Removal> {
  const notHeld = mode === 'send' ? 'unrecorded' : 'surplus'
  return removeSubscription(deps, subscription, because === 'declined' ? because : notHeld)
}

/** Another request made this purchase: pay its open invoice, or report it as already subscribed. */
function settledBy({ code, same }: ClaimedLine, slot: Slot, subscription: GatewaySubscription): Settled {
  if (!isHeld(slot) || !holdsSlot(subscription)) return { kind: 'free', code, slot }
  if (same) return isDeclined(subscription) ? declinedLine(code, subscription) : answered(bought(slot, subscription))
  return slot.state === 'incomplete' ? { kind: 'incomplete', code, slot } : answeredRefused(code, 'already_subscribed')
}

function holdsSlot(subscription: GatewaySubscription): subscription is HeldSubscription {
  return !isEnded(subscription.status)
}

/** The slot was written since it was claimed, by a webhook that settled it or by a request that took it over. */
async function findAgain(
  { code, slot: claimed }: ClaimedLine,
  { latest }: Synchronized,
  conflict: Conflict,
): Promise<Again<Settled>> {
  const unavailable = { kind: 'done', result: answeredRefused(code, 'gateway_unavailable') } as const
  const slot = requireSlot(conflict)
  if (slot.subscription?.id === latest.id) return isHeld(slot) ? { kind: 'fetch', slot } : unavailable
  const samePurchase = slot.n === claimed.n && (slot.state === 'pending' || isFree(slot))
  if (samePurchase || (isEnded(latest.status) && isFree(slot))) return unavailable
  if (isEnded(latest.status)) return { kind: 'done', result: answeredRefused(code, 'already_subscribed') }
  return { kind: 'found', slot, latest }
}

/** Cancels first and frees the slot after, so that a free slot leaves no payable invoice behind. */
export async function settleDeclined(
  context: PurchaseContext,
  line: ClaimedLine,
  subscription: GatewaySubscription,
): Promise<Settled> {
  const { code } = line
  const removal = await remove(context.deps, line, subscription, 'declined')
  if (removal.kind !== 'removed') return leaveUnknown(context, line)
  const freed = await freeLine(context, line)
  if (freed.kind === 'taken_over') return answeredRefused(code, 'gateway_unavailable')
  if (line.same) return declinedLine(code, subscription)
  // The decline of another request's card is no answer to this one.
  return freed.kind === 'freed'
    ? { kind: 'free', code, slot: freed.slot }
    : answeredRefused(code, 'checkout_in_progress')
}

function declinedLine(code: string, { payment }: GatewaySubscription): AnsweredLine {
  return answeredRefused(code, 'card_declined', payment.kind === 'declined' ? payment.declineCode : null)
}

/**
 * The outcome is not known: releases the lease, so that the next request can take this very purchase over, and records what
 * was learned of its key. To a request that asks for something else, the purchase of the other one is still in progress.
 */
async function leaveUnknown(
  context: PurchaseContext,
  line: ClaimedLine,
  { saved, notExecuted }: Omit<Extract<Outcome, { kind: 'unknown' }>, 'kind'> = {},
): Promise<AnsweredLine> {
  const learned = {
    ...(notExecuted && { lastSent: line.sentBefore }),
    ...(saved && { savedAt: context.deps.clock.now() }),
  }
  await context.deps.records.commit({ next: leaseReleased(line.slot, learned) })
  context.deps.logger.warn('Purchase outcome unknown', purchaseOf(line.slot))
  return answeredRefused(line.code, line.same ? 'gateway_unavailable' : 'checkout_in_progress')
}

/**
 * Frees the slot of a line. `taken_over`: another invocation took this very purchase over and will free the slot; until then no refusal is
 * final. `lost`: the slot was written otherwise.
 */
async function freeLine(
  { deps }: Pick<PurchaseContext, 'deps'>,
  { slot }: ClaimedLine,
): Promise<{ kind: 'freed'; slot: Slot } | { kind: 'taken_over' | 'lost' }> {
  const freed = await freeSlot(deps.records, slot)
  if (freed.kind === 'freed') return freed
  const current = requireSlot(freed.conflict)
  return { kind: current.state === 'pending' && current.n === slot.n ? 'taken_over' : 'lost' }
}

function requireSlot({ slot }: Conflict): Slot {
  if (slot) return slot
  throw new BillingError('gateway_unavailable', { message: 'The coupon of this purchase is held by another one' })
}
