import { principalIdSchema } from '../../core/ids.ts'
import { type GatewaySubscription, isEnded, openPaymentOf, type RecurringPrice } from '../gateway/subscription.ts'
import { auditOf } from './auditOf.ts'
import { moneyMailsOf } from './moneyMail.ts'
import type { BillingRecords, Conflict, RedemptionChange, SlotChange } from './ports.ts'
import { released, type Slot } from './slot.ts'
import { slotEventsOf } from './slotEvents.ts'

/**
 * Slot, coupon, audit log, mails and events as the gateway's subscription makes them, to be written together. If a purchase ended unpaid before
 * it held its slot, it was no subscription: the slot is as it was before.
 * @param now Unix milliseconds
 */
export function toSubscription(slot: Slot, subscription: GatewaySubscription, now: number): SlotChange {
  if (slot.state === 'pending' && endedUnpaid(subscription)) return toFree(slot)
  const isAdopted = slot.state !== 'pending' && slot.subscription?.id !== subscription.id
  const sold = isAdopted ? withCouponOf(subscription, slot) : slot
  const next = projected(sold, subscription)
  const entries = auditOf(slot, next, subscription, now)
  const mails = moneyMailsOf(slot, next, subscription, { entries, now })
  const events = slotEventsOf(slot, next, now)
  return {
    ...changeOf(sold, next, isAdopted ? 'adopt' : redemptionAfter(slot, subscription)),
    ...(entries.length > 0 && { entries }),
    ...(mails.length > 0 && { mails }),
    ...(events.length > 0 && { events }),
  }
}

/** A slot with the coupon that the gateway's subscription was sold with. The metadata name the user who redeemed it. */
function withCouponOf({ coupon, purchase }: GatewaySubscription, { coupon: _earlier, ...slot }: Slot): Slot {
  const { data: userId } = principalIdSchema.safeParse(purchase?.user_id)
  if (!coupon || userId === undefined) return slot
  const redeemer = purchase?.redeemer
  return { ...slot, coupon: { ...coupon, userId, ...(redeemer !== undefined && { redeemer }) } }
}

/** Frees the slot as it was before this purchase, and gives its coupon back. */
export function toFree(slot: Slot): SlotChange {
  return changeOf(slot, released(slot), 'release')
}

/** If a purchase was never paid, it gives its coupon back, however long it waited for its buyer to authenticate. */
function redemptionAfter(slot: Slot, subscription: GatewaySubscription): RedemptionChange | null {
  if (slot.state === 'incomplete' && endedUnpaid(subscription)) return 'release'
  return slot.state === 'pending' ? 'apply' : null
}

function endedUnpaid({ status, wasPaid }: GatewaySubscription): boolean {
  return isEnded(status) && !wasPaid
}

function changeOf({ coupon }: Slot, next: Slot, change: RedemptionChange | null): SlotChange {
  return {
    next,
    ...(coupon && change && { redemption: { coupon, change } }),
  }
}

/**
 * Writes one slot's change. If another purchase holds its coupon, as after a restore, the coupon remains with that purchase: a slot does
 * not wait to give a coupon back, or to take a subscription that exists.
 * @param waived the changes of a redemption that are left out then
 * @returns null if it was committed
 * @throws CommonError `service_unavailable`
 */
export async function commitChange(
  records: Pick<BillingRecords, 'commit'>,
  change: SlotChange,
  waived: readonly RedemptionChange[] = ['release', 'adopt'],
): Promise<Conflict | null> {
  const conflict = await records.commit(change)
  const { redemption, ...withoutCoupon } = change
  const isWaived = redemption && waived.includes(redemption.change)
  if (!conflict?.couponTaken || conflict.slot || !isWaived) return conflict
  return records.commit(withoutCoupon)
}

/**
 * Frees the slot of a purchase that was never made or is refused, and gives its coupon back.
 * @throws CommonError `service_unavailable`
 */
export async function freeSlot(
  records: Pick<BillingRecords, 'commit'>,
  slot: Slot,
): Promise<{ kind: 'freed'; slot: Slot } | { kind: 'lost'; conflict: Conflict }> {
  const change = toFree(slot)
  const conflict = await commitChange(records, change)
  return conflict ? { kind: 'lost', conflict } : { kind: 'freed', slot: change.next }
}

/**
 * Any slot -> what the gateway says of its subscription. When the subscription has ended, it frees the slot and is remembered. If its
 * purchase number is above the slot's own, as after a restore, the slot takes that number and never uses it again.
 */
export function projected(slot: Slot, subscription: GatewaySubscription): Slot {
  const { claim: _claim, payer: _payer, ...rest } = slot
  const n = subscription.purchase?.n ?? 0
  const { nextCharge } = subscription
  const price = soldPriceOf(slot, subscription)
  const payment = openPaymentOf(subscription)
  const hostedInvoiceUrl =
    payment && subscription.payment.kind === 'invoice_open' && subscription.payment.hostedInvoiceUrl
  return {
    ...rest,
    ...(n > slot.n && { n, raisedTo: n }),
    rev: slot.rev + 1,
    gateway: subscription.gateway,
    state: subscription.status,
    subscription: {
      id: subscription.id,
      status: subscription.status,
      currentPeriodEnd: subscription.currentPeriodEnd,
      cancelAt: subscription.cancelAt,
      endedAt: subscription.endedAt,
      coveredUntil: subscription.coveredUntil,
      ...(payment && { payment }),
      ...(hostedInvoiceUrl && { hostedInvoiceUrl }),
      ...(price && { price }),
      ...(nextCharge !== undefined && { nextCharge }),
    },
  }
}

/** If a person replaces the price at the gateway, the price as sold stays: the daily pass reports the difference. */
function soldPriceOf(slot: Slot, { id, price }: GatewaySubscription): RecurringPrice | null {
  const sold = slot.subscription?.id === id ? slot.subscription.price : undefined
  return sold ?? price
}
