import type { GatewayEvent } from './gatewayEvent.ts'
import type { SlotChange } from './ports.ts'
import { isFree, type Slot } from './slot.ts'
import { toSubscription } from './slotChange.ts'
import { type GatewaySubscription, isDeclined, isEnded } from './subscription.ts'

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
    return event.created <= subscription.gatewayClock - CLOCK_RESOLUTION ? 'covered' : 'fetch'
  }
  const ofPendingPurchase = slot.state === 'pending' && slot.n === event.purchase?.n
  if (ofPendingPurchase || event.type !== 'customer.subscription.deleted') return 'fetch'
  return 'older subscription'
}

export type Projection =
  | { kind: 'write'; change: SlotChange }
  | { kind: 'ignore'; because: IgnoredBecause }
  /** Live, and held by no slot: to be canceled and refunded. */
  | { kind: 'orphan' }

/**
 * What a fetched subscription makes of the slot: absolute state, guarded by the subscription's id and the purchase number.
 * @param now Unix milliseconds
 */
export function project(slot: Slot, latest: GatewaySubscription, now: number): Projection {
  const n = latest.purchase?.n ?? 0
  const write: Projection = { kind: 'write', change: toSubscription(slot, latest, now) }
  if (slot.state === 'pending' && slot.n === n) {
    // A declined purchase is canceled by the request that completes it, before its slot is freed.
    return isDeclined(latest) ? { kind: 'ignore', because: 'left to its purchase' } : write
  }
  if (slot.subscription?.id === latest.id && slot.state !== 'pending') return write
  if (isEnded(latest.status)) return { kind: 'ignore', because: 'older subscription' }
  // No slot holds it: the newest purchase takes the free slot, any other one must end.
  return isFree(slot) && n >= slot.n ? write : { kind: 'orphan' }
}
