import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded, isLive } from '../gateway/subscription.ts'
import { commitChange } from '../slot/commitChange.ts'
import { paymentKey, waitsForCard } from '../slot/openInvoice.ts'
import { fencedForPayment, type HeldSlot, isHeld, projected, type Slot } from '../slot/slot.ts'
import { toSubscription } from '../slot/slotChange.ts'
import { bought, type CartLine, refused, refusedBy } from './cartLine.ts'
import type { CheckoutContext } from './checkoutRun.ts'
import type { ReleasedSlot } from './completePurchase.ts'

/**
 * An incomplete purchase bought again. It is never canceled to make room, because its buyer may be authenticating right now:
 * the same card gets the same secret, another card pays the same open invoice.
 */
export async function payIncomplete(
  context: CheckoutContext,
  code: string,
  slot: HeldSlot,
): Promise<CartLine | ReleasedSlot> {
  const subscription = await fetchOwn(context, slot)
  if (!subscription) return refused(code, 'gateway_unavailable')
  if (subscription.status !== 'incomplete') {
    const next = await project(context, slot, subscription)
    if (isLive(subscription.status)) return refused(code, 'already_subscribed')
    return next ? { released: next } : refused(code, 'checkout_in_progress')
  }
  // The open invoice cannot take another coupon, and is not to be paid in full by someone who asked for one.
  if (asksForAnotherCoupon(context, slot)) return refused(code, 'coupon_invalid')
  return waitsForCard(subscription.payment, context.paymentMethodId)
    ? bought(slot, subscription)
    : payOpenInvoice(context, code, slot, subscription)
}

/** Whether a request names a coupon other than the one that the purchase was made with. */
export function asksForAnotherCoupon({ couponCode }: Pick<CheckoutContext, 'couponCode'>, { coupon }: Slot): boolean {
  if (couponCode === undefined || couponCode === coupon?.id) return false
  return couponCode.toLowerCase() !== coupon?.code.toLowerCase()
}

async function payOpenInvoice(
  context: CheckoutContext,
  code: string,
  slot: Slot,
  subscription: GatewaySubscription,
): Promise<CartLine | ReleasedSlot> {
  if (!subscription.invoiceId) return refused(code, 'gateway_refused')
  // Named first, this payment has a key of its own, also where a restore puts `rev` back; an invoice is never paid twice.
  const { ids, clock } = context.deps
  const payer = { owner: ids.uuid(), userId: context.userId, since: clock.now() }
  const fenced = fencedForPayment(slot, payer)
  if (await context.deps.records.commit({ next: fenced })) return refused(code, 'checkout_in_progress')

  const paid = await gatewayOf(context.deps.gateways, slot).invoices.payInvoice(
    subscription.invoiceId,
    context.paymentMethodId,
    paymentKey(slot, payer),
  )
  const latest = await fetchOwn(context, slot)
  if (!latest) return refused(code, 'gateway_unavailable')

  const next = await project(context, fenced, latest)
  if (isEnded(latest.status)) return next ? { released: next } : refused(code, 'checkout_in_progress')
  if (latest.status !== 'incomplete' || waitsForCard(latest.payment, context.paymentMethodId)) {
    const held = next ?? projected(fenced, latest)
    if (isHeld(held)) return bought(held, latest)
  }
  return paid.kind === 'refused' ? refusedBy(code, paid.reason, paid.declineCode) : refused(code, 'gateway_unavailable')
}

async function fetchOwn(context: CheckoutContext, slot: Slot): Promise<GatewaySubscription | undefined> {
  if (!slot.subscription) return undefined
  const fetched = await gatewayOf(context.deps.gateways, slot).purchases.fetchSubscription(slot.subscription.id)
  return fetched.kind === 'ok' ? fetched.value : undefined
}

/**
 * Writes the gateway's state. Null on a conflict: a live state was then written by the other writer, but a slot is free for a
 * new purchase only after a write that succeeded, because that write also gives the coupon back.
 */
async function project(context: CheckoutContext, slot: Slot, subscription: GatewaySubscription): Promise<Slot | null> {
  const change = toSubscription(slot, subscription, context.deps.clock.now())
  return (await commitChange(context.deps.records, change)) === null ? change.next : null
}
