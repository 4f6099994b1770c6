import type { Product } from '../catalog.ts'
import { type GatewaySubscription, isEnded, openPaymentOf } from '../gateway/subscription.ts'
import { isFree, type Slot } from '../slot/slot.ts'

/**
 * How to repair a difference between the record and the gateway. If a person made it at the gateway, it is only reported: a
 * refund, a lost dispute, another price or quantity, a pause or a trial do not change the entitlement, because only a person knows
 * the agreement with the customer.
 */
export type Remedy =
  /** The slot takes a subscription that it did not hold. */
  | 'adopt'
  /** The slot's record is updated with the current state of its own subscription. */
  | 'project'
  /** The slot's own subscription has ended: the slot is free for a new purchase. */
  | 'free'
  /** The gateway has a purchase number above the slot's: the slot skips it, so that no new purchase gets the same number. */
  | 'raise'
  /** A surplus purchase of this slot is canceled and refunded. */
  | 'cancel and refund'
  /** The event of an undelivered webhook is handled now. */
  | 'deliver'
  /** No rule covers it: a person has to decide. */
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
  /** Whether the remedy was applied; always false in a dry run and if the remedy is `report`. */
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

/** Whether the slot's record agrees with its own subscription as fetched. */
export function isRecorded(slot: Slot, latest: GatewaySubscription): boolean {
  return isListed(slot, latest) && (slot.subscription?.payment ?? null) === openPaymentOf(latest)
}

/**
 * Whether price and next charge are recorded, as far as the answer shows them. It is no drift if they are not: the gateway did not show them
 * when the record was written.
 */
export function isPriced({ subscription }: Slot, latest: GatewaySubscription): boolean {
  if (subscription === undefined || (latest.price && !subscription.price)) return false
  const { nextCharge: known } = subscription
  const { nextCharge: shown } = latest
  if (shown === undefined) return known?.at === latest.currentPeriodEnd
  return known && shown ? known.amount === shown.amount && known.at === shown.at : known === shown
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

/** Whether record and list disagree about an open invoice that was sent: its event may be lost. */
function owesOtherwise({ subscription }: Slot, listed: GatewaySubscription): boolean {
  return (subscription?.payment === 'invoice_open') !== (openPaymentOf(listed) === 'invoice_open')
}

/**
 * Whether a listed subscription needs a closer look. The list shows an open payment only if the latest invoice was sent.
 * @param now Unix milliseconds
 */
export function mayDiffer(slot: Slot, listed: GatewaySubscription, now: number): boolean {
  if (slot.claim && slot.claim.leaseUntil > now) return false
  if (isListed(slot, listed)) return owesOtherwise(slot, listed) || !isPriced(slot, listed)
  // If a run crashed between canceling a surplus and refunding it, the refund is still due.
  if (!isEnded(listed.status) || listed.refundDue) return true
  const own = slot.subscription?.id === listed.id && slot.state !== 'pending'
  return own || (slot.state === 'pending' && slot.n === listed.purchase?.n)
}

/** The name of the remedy that writes the subscription into this slot. */
export function remedyOf(slot: Slot, latest: GatewaySubscription): Remedy {
  if (isEnded(latest.status)) return 'free'
  return isFree(slot) || slot.state === 'pending' ? 'adopt' : 'project'
}
