import { type Product, productOf } from '../catalog.ts'
import type { BillingAccount } from '../slot/ports.ts'
import { type HeldSlot, isFree, isHeld, namesAnotherCoupon, type Slot } from '../slot/slot.ts'
import { type AnsweredLine, answeredRefused } from './cartLine.ts'
import type { LineError } from './lineError.ts'
import type { CheckoutRequest, ReadCart } from './readCart.ts'

/** What a line needs before it can be answered. */
export type LinePlan =
  | AnsweredLine
  | { kind: 'claim'; code: string; slot: Slot }
  | { kind: 'take_over'; code: string; slot: Slot }
  | { kind: 'pay_incomplete'; code: string; slot: HeldSlot }

/** Plans a cart as it was read; every line is refused if it could not be read, or nothing is sold to the organization any more. */
export function planCart(read: ReadCart | null, request: CheckoutRequest): LinePlan[] {
  if (read === null) return refuseAll(request.productCodes, 'gateway_unavailable')
  if (read.account.isBeingDeleted) return refuseAll(request.productCodes, 'organization_deleting')
  const plans = planLines(request.productCodes, read.slots, read.startedAt)
  return isFenced(read.account, read.startedAt) ? plans.map(whileFenced) : plans
}

/** Whether a card is being removed that may have to pay for what is bought now. */
export function isFenced({ cardFence }: BillingAccount, now: number): boolean {
  return cardFence !== undefined && now < cardFence.until
}

function whileFenced(plan: LinePlan): LinePlan {
  const sends = plan.kind === 'claim' || plan.kind === 'take_over'
  return sends ? answeredRefused(plan.code, 'gateway_unavailable') : plan
}

/** A cart of which every line is refused. */
export function refuseAll(productCodes: readonly string[], error: LineError): LinePlan[] {
  return productCodes.map((code) => answeredRefused(code, error))
}

/**
 * Plans product codes against the slots of their products: one plan a line, in the order requested.
 * @param now Unix milliseconds
 */
export function planLines(productCodes: readonly string[], slots: readonly Slot[], now: number): LinePlan[] {
  const seen = new Set<Product>()
  return productCodes.map((code) => {
    const product = productOf(code)
    const slot = slots.find((candidate) => candidate.product === product)
    if (product === undefined || slot === undefined) return answeredRefused(code, 'unknown_plan')
    if (seen.has(product)) return answeredRefused(code, 'already_subscribed')
    seen.add(product)
    return planLine(code, slot, now)
  })
}

/**
 * Whether a line is a new purchase, by the record. So is an unpaid purchase that makes room for another coupon, which its open invoice cannot
 * take. It does only if it was declined: otherwise its buyer may be authenticating right now.
 */
export function isBoughtAnew(plan: LinePlan, couponCode: string | undefined): boolean {
  if (plan.kind !== 'pay_incomplete') return plan.kind === 'claim'
  return plan.slot.subscription?.payment === 'declined' && namesAnotherCoupon(couponCode, plan.slot)
}

/** The plan that a slot's state allows. A pending slot is taken over only after its lease has ended. */
export function planLine(code: string, slot: Slot, now: number): LinePlan {
  if (isFree(slot)) return { kind: 'claim', code, slot }
  if (isHeld(slot)) {
    return slot.state === 'incomplete'
      ? { kind: 'pay_incomplete', code, slot }
      : answeredRefused(code, 'already_subscribed')
  }
  const leased = slot.claim !== undefined && slot.claim.leaseUntil > now
  return leased ? answeredRefused(code, 'checkout_in_progress') : { kind: 'take_over', code, slot }
}
