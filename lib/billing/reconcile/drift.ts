import type { Product } from '../catalog.ts'
import { type GatewaySubscription, isEnded, openPaymentOf } from '../gateway/subscription.ts'
import { isFree, type Slot } from '../slot/slot.ts'

/**
 * What a difference between the record and the gateway calls for. What a person did at the gateway is only reported: a refund,
 * a lost dispute, another price or quantity, a pause or a trial leave the entitlement as it is, because only a person knows
 * what was agreed with the customer.
 */
export type Remedy =
  /** The slot takes a subscription that it did not know. */
  | 'adopt'
  /** The slot's own subscription is written as it is now. */
  | 'project'
  /** The slot's own subscription has ended: the slot is free for a new purchase. */
  | 'free'
  /** The gateway has a purchase number above the slot's: no purchase is given it again. */
  | 'raise'
  /** A surplus purchase of this slot is canceled and refunded. */
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

/** A difference of a slot, before anything is done about it. */
export function driftOf(
  { organizationId, product }: Pick<Drift, 'organizationId' | 'product'>,
  found: Pick<Drift, 'remedy' | 'why'> & {
    slot?: Slot | undefined
    latest?: GatewaySubscription | undefined
  } & Partial<Drift>,
): Drift {
  const { slot, latest, ...rest } = found
  return {
    organizationId,
    product,
    subscriptionId: latest?.id ?? null,
    here: slot ? `${slot.state}, n=${slot.n}` : 'not read',
    there: latest ? `${latest.status}, n=${latest.purchase?.n ?? 'none'}` : 'not known',
    done: false,
    ...rest,
  }
}

/** Whether the record of the slot's own subscription is what was fetched of it. */
export function isRecorded(slot: Slot, latest: GatewaySubscription): boolean {
  return isListed(slot, latest) && (slot.subscription?.payment ?? null) === openPaymentOf(latest)
}

function isListed({ state, subscription }: Slot, listed: GatewaySubscription): boolean {
  return (
    state !== 'pending' &&
    subscription?.id === listed.id &&
    subscription.status === listed.status &&
    subscription.currentPeriodEnd === listed.currentPeriodEnd &&
    subscription.cancelAt === listed.cancelAt &&
    subscription.endedAt === listed.endedAt
  )
}

/** Whether an open invoice was sent, as the record has it, and not as the list shows the latest one: its event may be lost. */
function owesOtherwise({ subscription }: Slot, listed: GatewaySubscription): boolean {
  return (subscription?.payment === 'invoice_open') !== (openPaymentOf(listed) === 'invoice_open')
}

/**
 * Whether a listed subscription needs a closer look. Of its open payment the list shows only a latest invoice that was sent.
 * @param now Unix milliseconds
 */
export function mayDiffer(slot: Slot, listed: GatewaySubscription, now: number): boolean {
  if (slot.claim && slot.claim.leaseUntil > now) return false
  if (isListed(slot, listed)) return owesOtherwise(slot, listed)
  // What a crash left of a surplus that was canceled: its refund is due.
  if (!isEnded(listed.status) || listed.refundDue) return true
  const own = slot.subscription?.id === listed.id && slot.state !== 'pending'
  return own || (slot.state === 'pending' && slot.n === listed.purchase?.n)
}

/** The name of the remedy that writes the subscription into this slot. */
export function remedyOf(slot: Slot, latest: GatewaySubscription): Remedy {
  if (isEnded(latest.status)) return 'free'
  return isFree(slot) || slot.state === 'pending' ? 'adopt' : 'project'
}
