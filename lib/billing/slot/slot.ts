import * as z from 'zod/mini'
import type { OrganizationId, PrincipalId } from '../../core/ids.ts'
import { type PlanCode, type Product, planCodes } from '../catalog.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import {
  heldStates,
  type NextCharge,
  type OpenPayment,
  type RecurringPrice,
  type SubscriptionState,
  subscriptionStates,
} from '../gateway/subscription.ts'

/**
 * `none` and `canceled` leave the slot free; every other state holds it. `pending`: a purchase is under way, or its outcome is
 * unknown. The other states are the subscription's own. `infra/decisions/slot.md` draws the machine.
 */
export const slotStateSchema = z.enum(['none', 'pending', ...subscriptionStates])
export type SlotState = z.infer<typeof slotStateSchema>

/** The states in which a subscription holds its slot. */
export const heldStateSchema = z.enum(heldStates)
export type HeldState = z.infer<typeof heldStateSchema>

/** A purchase that is under way, or whose outcome is unknown. Times are Unix milliseconds. */
export interface Claim {
  /** The gateway that the purchase is submitted to. `daysUntilDue`: the days to pay an invoice, if that gateway sends invoices. */
  gateway: GatewayName
  daysUntilDue?: number
  /** Names the invocation. When an acknowledgement is late, the invocation recognizes its own claim by it. */
  owner: string
  leaseUntil: number
  /** First and last instant at which the key of this purchase may have been sent. */
  firstSent: number
  lastSent: number
  /** When the sweeper next looks up the purchase. */
  nextSweepAt: number
  /** The exact parameters sent, without the customer: a replay must not differ by a byte. */
  frozenRequest: string
  /** Digest of the card and the coupon as the request named them. Only the same request may replay the purchase. */
  requestHash: string
  /** When this service saw a failure that the gateway stored under the key and may still roll forward. */
  savedAt?: number
  userId: PrincipalId
}

/** What is known of the slot's latest gateway subscription. Times are Unix seconds of the gateway's clock. */
interface SubscriptionSnapshot {
  id: string
  status: SubscriptionState
  currentPeriodEnd: number | null
  cancelAt: number | null
  endedAt: number | null
  /** The answer projected last includes everything that the gateway did until then. */
  coveredUntil: number
  /** What its open payment waits for; absent if nothing is open. */
  payment?: OpenPayment
  /** If `payment` is `invoice_open`: the gateway's page of that invoice, which opens without signing in. */
  hostedInvoiceUrl?: string
  /** A payment went back when a user canceled it, because the record did not show that payment. */
  refunded?: true
  /** As it was when the slot took the subscription: what was sold. Absent if that was no single amount, or is not recorded yet. */
  price?: RecurringPrice
  /** Null if nothing will be charged. Absent if it is not known: the daily pass reads it again. */
  nextCharge?: NextCharge | null
}

export interface AppliedCoupon {
  id: string
  /** The code that a person types: a promotion code, or else the coupon's id. */
  code: string
  userId: PrincipalId
  /** The digest of the redeemer. Absent in purchases of earlier versions: then it is `userId` itself. */
  redeemer?: string
}

/** Who pays an open invoice. */
export interface Payer {
  /** Names the invocation, so that each payment has its own fence and idempotency key. */
  owner: string
  userId: PrincipalId
  /** Since when; Unix milliseconds. */
  since: number
}

/**
 * The single place in an organization for a product. `n` numbers its purchases and is never used twice. `rev` is the fence: it grows
 * by one on every write, and every write is conditional on the `rev` that was read.
 */
export interface Slot {
  organizationId: OrganizationId
  product: Product
  state: SlotState
  /** The gateway of its purchase; absent if nothing was bought. */
  gateway?: GatewayName
  n: number
  rev: number
  /** Not all numbers up to here were claimed by this slot: `n` was raised to a number that the gateway had. */
  raisedTo?: number
  /** Present while `pending`. */
  claim?: Claim
  /** The subscription of purchase `n`; while `pending`, the ended subscription of an earlier purchase. */
  subscription?: SubscriptionSnapshot
  coupon?: AppliedCoupon
  /** Present while an invocation pays its open invoice. */
  payer?: Payer
}

export type SlotName = Pick<Slot, 'organizationId' | 'product'>

/** The `product_code` of a subscription record, `<plan_code>:<organization_id>`, is the slot's key. */
export function productCode(slot: SlotName): `${PlanCode}:${string}` {
  return `${planCodes[slot.product]}:${slot.organizationId}`
}

/** Which purchase a log line is about. */
export function purchaseOf({ organizationId, product, n }: Slot) {
  return { organizationId, product, n }
}

export function emptySlot(organizationId: OrganizationId, product: Product): Slot {
  return { organizationId, product, state: 'none', n: 0, rev: 0 }
}

export function isFree(slot: Slot): boolean {
  return slot.state === 'none' || slot.state === 'canceled'
}

/** A slot that a subscription holds. */
export type HeldSlot = Slot & { state: HeldState }

export function isHeld(slot: Slot): slot is HeldSlot {
  return heldStateSchema.safeParse(slot.state).success
}

/** A slot whose product was bought, with the subscription that holds it or held it last. */
export type SubscribedSlot = Slot & Required<Pick<Slot, 'subscription'>>

export function isSubscribed<Of extends Slot>(slot: Of): slot is Of & SubscribedSlot {
  return slot.subscription !== undefined
}

/** Whether this subscription is the slot's: it holds the slot, or was the last to end. False while a purchase is pending. */
export function isOf(slot: Slot, subscriptionId: string): slot is SubscribedSlot {
  return slot.state !== 'pending' && slot.subscription?.id === subscriptionId
}

/** Whether a request names another coupon than the one that the purchase was made with. */
export function namesAnotherCoupon(couponCode: string | undefined, { coupon }: Slot): boolean {
  if (couponCode === undefined || couponCode === coupon?.id) return false
  return couponCode.toLowerCase() !== coupon?.code.toLowerCase()
}

/** Free slot -> pending, as a purchase with a new number. */
export function claimed(slot: Slot, claim: Claim, coupon?: AppliedCoupon): Slot {
  const { organizationId, product, subscription, raisedTo } = slot
  return {
    organizationId,
    product,
    state: 'pending',
    gateway: claim.gateway,
    n: slot.n + 1,
    rev: slot.rev + 1,
    ...(raisedTo !== undefined && { raisedTo }),
    claim,
    ...(subscription && { subscription }),
    ...(coupon && { coupon }),
  }
}

/** Pending slot -> the same purchase, leased to another invocation. */
export function leaseTakenOver(slot: Slot, claim: Claim): Slot {
  return { ...slot, rev: slot.rev + 1, claim }
}

/** Pending slot -> the same purchase without its lease, plus what was learned of its key. The next request can take it over. */
export function leaseReleased(slot: Slot, learned: Partial<Pick<Claim, 'lastSent' | 'savedAt'>> = {}): Slot {
  return { ...slot, rev: slot.rev + 1, ...(slot.claim && { claim: { ...slot.claim, ...learned, leaseUntil: 0 } }) }
}

/** Slot of an unpaid subscription -> the same slot, fenced off for a single payment of its open invoice. */
export function fencedForPayment(slot: Slot, payer: Payer): Slot {
  return { ...slot, rev: slot.rev + 1, payer }
}

/** Pending slot -> free again, as it was before this purchase. If there was an earlier subscription, it stays remembered as ended. */
export function released(slot: Slot): Slot {
  const { claim: _claim, coupon: _coupon, ...rest } = slot
  return { ...rest, rev: slot.rev + 1, state: slot.subscription ? 'canceled' : 'none' }
}
