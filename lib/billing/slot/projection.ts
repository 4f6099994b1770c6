import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { type GatewaySubscription, isDeclined, isEnded, isRefundDue } from '../gateway/subscription.ts'
import type { SlotChange } from './ports.ts'
import { isSurplus } from './refundPolicy.ts'
import type { Slot } from './slot.ts'
import { toSubscription } from './slotChange.ts'

type SubscriptionEvent = Extract<GatewayEvent, { kind: 'subscription' }>

/** Two seconds: the event's time is to the second, and so is the clock that it is compared with. */
const CLOCK_RESOLUTION = 2

/** Why an event changes nothing. */
export type IgnoredBecause = 'covered' | 'already ended' | 'older subscription' | 'left to its purchase'

/** What the slot alone decides about an event: `fetch` where the gateway must be asked. */
export function beforeFetch(slot: Slot, event: SubscriptionEvent): 'fetch' | IgnoredBecause {
  const { subscription } = slot
  if (subscription?.id === event.subscriptionId) {
    if (isEnded(subscription.status)) return 'already ended'
    return event.created <= subscription.coveredUntil - CLOCK_RESOLUTION ? 'covered' : 'fetch'
  }
  const ofPendingPurchase = slot.state === 'pending' && slot.n === event.purchase?.n
  if (ofPendingPurchase || event.type !== 'customer.subscription.deleted') return 'fetch'
  return 'older subscription'
}

export type Projection =
  | { kind: 'write'; change: SlotChange; written: GatewaySubscription }
  | { kind: 'ignore'; because: IgnoredBecause }
  /** A live subscription other than the slot's own, which must be fetched first: call again with it as `own`. */
  | { kind: 'fetch own'; subscriptionId: string }
  /** Live beside the slot's own live one, and surely a purchase of this slot: `removeSurplus`. So too what a crash left of one. */
  | { kind: 'surplus' }
  /** Live beside the slot's own live one and not surely ours, or beside a purchase under way: report it, touch nothing. */
  | { kind: 'report'; why: string }

/**
 * What a fetched subscription makes of the slot: absolute state, guarded by the subscription's id and the purchase number. Where
 * the slot's own subscription turns out to have ended, that is what is written first: read the slot and project again.
 * @param now Unix milliseconds
 * @param own the slot's own subscription fetched just now; `missing` where the gateway does not know it
 */
export function project(
  slot: Slot,
  latest: GatewaySubscription,
  now: number,
  own?: GatewaySubscription | 'missing',
): Projection {
  const write = (subscription: GatewaySubscription): Projection => ({
    kind: 'write',
    change: toSubscription(slot, subscription, now),
    written: subscription,
  })
  if (slot.state === 'pending' && slot.n === latest.purchase?.n) {
    // A declined purchase is canceled by the request that completes it, and refunded if need be, before its slot is freed. So is one
    // freed that ended unpaid: the purchase itself may be live, and this one a copy of its metadata.
    const unpaid = isDeclined(latest) || (isEnded(latest.status) && !latest.wasPaid)
    if (unpaid || isRefundDue(latest)) return { kind: 'ignore', because: 'left to its purchase' }
    return isEnded(latest.status) ? { kind: 'report', why: 'ended while its purchase is under way' } : write(latest)
  }
  const known = slot.subscription
  if (known?.id === latest.id && slot.state !== 'pending') return write(latest)
  if (isEnded(latest.status)) {
    return isRefundDue(latest) ? { kind: 'surplus' } : { kind: 'ignore', because: 'older subscription' }
  }

  if (slot.state === 'pending') return { kind: 'report', why: 'live beside a purchase under way' }
  // An end is final: one that is recorded needs no fetching.
  if (!known || isEnded(known.status)) return write(latest)
  if (own === undefined) return { kind: 'fetch own', subscriptionId: known.id }
  if (own === 'missing') return { kind: 'report', why: 'live beside one that the gateway does not know' }
  if (isEnded(own.status)) return write(own)
  return isSurplus(slot, latest, own, now) ? { kind: 'surplus' } : { kind: 'report', why: 'live beside the slot’s own' }
}
