import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { type GatewaySubscription, isDeclined, isEnded, isRefundDue } from '../gateway/subscription.ts'
import type { SlotChange } from './ports.ts'
import { isSurplus } from './refundPolicy.ts'
import type { Slot } from './slot.ts'
import { toSubscription } from './slotChange.ts'

type SubscriptionEvent = Extract<GatewayEvent, { kind: 'subscription' }>

/** Two seconds: both the event's time and the clock that it is compared with are to the second. */
const CLOCK_RESOLUTION = 2

/** Why a subscription, or its event, changes nothing. */
export type IgnoredBecause = 'covered' | 'already_ended' | 'older_subscription' | 'left_to_its_purchase'

/** What the slot alone decides about an event: `fetch` if the gateway must be asked. */
export function beforeFetch(slot: Slot, event: SubscriptionEvent): 'fetch' | IgnoredBecause {
  const { subscription } = slot
  if (subscription?.id === event.subscriptionId) {
    if (isEnded(subscription.status) && subscription.payment === undefined) return 'already_ended'
    return event.created <= subscription.coveredUntil - CLOCK_RESOLUTION ? 'covered' : 'fetch'
  }
  const ofPendingPurchase = slot.state === 'pending' && slot.n === event.purchase?.n
  if (ofPendingPurchase || event.type !== 'customer.subscription.deleted') return 'fetch'
  return 'older_subscription'
}

export type Projection =
  | { kind: 'write'; change: SlotChange; written: GatewaySubscription }
  | { kind: 'ignore'; because: IgnoredBecause }
  /** A live subscription beside the slot's own: fetch the slot's own first, and call again with it as `own`. */
  | { kind: 'fetch_own'; subscriptionId: string }
  /** Live beside the slot's own live subscription, and surely a purchase of this slot. Also a surplus whose removal crashed. */
  | { kind: 'surplus' }
  /** Live beside the slot's own live subscription and not surely ours, or beside a purchase under way: report it, touch nothing. */
  | { kind: 'report'; why: string }

/**
 * What a fetched subscription makes of the slot: absolute state, guarded by the subscription's id and the purchase number. If the slot's own
 * subscription turns out to have ended, the answer writes that end first. Then project again.
 * @param now Unix milliseconds
 * @param own the slot's own subscription, fetched just now; `missing` if the gateway does not know it
 */
export function project(
  slot: Slot,
  latest: GatewaySubscription,
  now: number,
  own?: GatewaySubscription | 'missing',
): Projection {
  const write = (subscription: GatewaySubscription) => projectOwn(slot, subscription, now)
  if (slot.state === 'pending' && slot.n === latest.purchase?.n) {
    // The request that completes a declined purchase cancels it, and refunds it if need be, before it frees the slot. It also frees the slot
    // if a purchase ended unpaid: this subscription may only have a copy of the metadata, while the purchase itself is live.
    const unpaid = isDeclined(latest) || (isEnded(latest.status) && !latest.wasPaid)
    if (unpaid || isRefundDue(latest)) return { kind: 'ignore', because: 'left_to_its_purchase' }
    return isEnded(latest.status) ? { kind: 'report', why: 'ended while its purchase is under way' } : write(latest)
  }
  const known = slot.subscription
  if (known?.id === latest.id && slot.state !== 'pending') return write(latest)
  if (isEnded(latest.status)) {
    return isRefundDue(latest) ? { kind: 'surplus' } : { kind: 'ignore', because: 'older_subscription' }
  }

  if (slot.state === 'pending') return { kind: 'report', why: 'live beside a purchase under way' }
  // An end is final: a recorded end needs no fetching.
  if (!known || isEnded(known.status)) return write(latest)
  if (own === undefined) return { kind: 'fetch_own', subscriptionId: known.id }
  if (own === 'missing') return { kind: 'report', why: 'live beside one that the gateway does not know' }
  if (isEnded(own.status)) return write(own)
  return isSurplus(slot, latest, own, now) ? { kind: 'surplus' } : { kind: 'report', why: 'live beside the slot’s own' }
}

/** Writes a subscription into a slot that is known to hold it, or into any slot if the caller holds its claim. */
export function projectOwn(slot: Slot, latest: GatewaySubscription, now: number): Projection {
  return { kind: 'write', change: toSubscription(slot, latest, now), written: latest }
}
