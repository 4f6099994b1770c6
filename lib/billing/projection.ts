import type { GatewayEvent } from './gatewayEvent.ts'
import type { RedemptionChange } from './ports.ts'
import { isFree, projected, type Slot } from './slot.ts'
import { type GatewaySubscription, isDeclined, isEnded } from './subscription.ts'

type SubscriptionEvent = Extract<GatewayEvent, { kind: 'subscription' }>

/** Two seconds: the event's time is to the second, and so is the clock that it is compared with. */
const CLOCK_RESOLUTION = 2

/** Why an event changes nothing. */
export type IgnoredBecause = 'covered' | 'already ended' | 'older subscription' | 'left to its purchase'

/** What the slot alone says of an event: `fetch` where the gateway must be asked. */
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
  | { kind: 'write'; next: Slot; redemption: RedemptionChange | null }
  | { kind: 'ignore'; because: IgnoredBecause }
  /** Live, and no slot's: to be cancelled and refunded. */
  | { kind: 'orphan' }

/** What a fetched subscription makes of the slot: absolute state, guarded by the subscription's id and the purchase number. */
export function project(slot: Slot, latest: GatewaySubscription): Projection {
  const n = latest.purchase?.n ?? 0
  if (slot.state === 'pending' && slot.n === n) return settleForward(slot, latest)
  if (slot.subscription?.id === latest.id && slot.state !== 'pending') {
    return { kind: 'write', next: projected(slot, latest), redemption: null }
  }
  if (isEnded(latest.status)) return { kind: 'ignore', because: 'older subscription' }
  // Nobody owns it: the newest purchase takes the free slot, any other one must not go on living.
  return isFree(slot) && n >= slot.n
    ? { kind: 'write', next: projected(slot, latest), redemption: null }
    : { kind: 'orphan' }
}

/** A purchase whose own request has not settled it yet. A declined one is cancelled by whoever carries the purchase on. */
function settleForward(slot: Slot, latest: GatewaySubscription): Projection {
  if (isDeclined(latest)) return { kind: 'ignore', because: 'left to its purchase' }
  const redemption = latest.status === 'incomplete_expired' ? 'release' : 'apply'
  return { kind: 'write', next: projected(slot, latest), redemption }
}
