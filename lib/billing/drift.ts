import type { Product } from './catalog.ts'
import { isFree, type Slot } from './slot.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'

/** What a difference between the record and the gateway calls for. */
export type Remedy =
  /** The slot takes a subscription that it did not know. */
  | 'adopt'
  /** The slot's own subscription is written as it is now. */
  | 'project'
  /** The slot's own subscription has ended: the slot is free for a new purchase. */
  | 'free'
  /** A live subscription that no slot holds is refunded and canceled. */
  | 'cancel and refund'
  /** A webhook that was not delivered is handled now. */
  | 'deliver'
  /** No rule decides what is right: a person has to look. */
  | 'report'

/** One difference. `here` is the record's state, `there` the gateway's. */
export interface Drift {
  remedy: Remedy
  organizationId: string | null
  product: Product | null
  subscriptionId: string | null
  here: string
  there: string
  why: string
  /** Whether the remedy was applied; never for a dry run and for `report`. */
  done: boolean
}

/** Whether the record of the slot's own subscription is what the gateway lists. */
export function isRecorded({ state, subscription }: Slot, listed: GatewaySubscription): boolean {
  return (
    state !== 'pending' &&
    subscription?.id === listed.id &&
    subscription.status === listed.status &&
    subscription.currentPeriodEnd === listed.currentPeriodEnd &&
    subscription.cancelAt === listed.cancelAt &&
    subscription.endedAt === listed.endedAt
  )
}

/**
 * Whether a listed subscription needs a closer look. `undefined` is a free slot.
 * @param now Unix milliseconds
 */
export function mayDiffer(slot: Slot | undefined, listed: GatewaySubscription, now: number): boolean {
  if (slot?.claim && slot.claim.leaseUntil > now) return false
  if (slot && isRecorded(slot, listed)) return false
  if (!isEnded(listed.status)) return true
  const own = slot?.subscription?.id === listed.id && slot.state !== 'pending'
  return own || (slot?.state === 'pending' && slot.n === listed.purchase?.n)
}

/** The name of the remedy that writes the subscription into this slot. */
export function remedyOf(slot: Slot, latest: GatewaySubscription): Remedy {
  if (isEnded(latest.status)) return 'free'
  return isFree(slot) || slot.state === 'pending' ? 'adopt' : 'project'
}
