import { type Product, planCodes, productOf } from '../catalog.ts'
import type { RefusalReason } from '../gateway/gatewayAnswer.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import { type HeldSlot, type HeldState, isFree, isHeld, type Slot } from '../slot/slot.ts'
import { type LineError, lineErrorDetail, lineErrors } from './lineError.ts'

export interface BoughtLine {
  ok: true
  productCode: string
  product: Product
  status: HeldState
  /** Unix seconds. */
  currentPeriodEnd: number | null
  cancelAt: number | null
  couponCode: string | null
  /** Present while the card needs authentication (3-D Secure): the buyer confirms the payment with it. */
  clientSecret: string | null
}

export interface RefusedLine {
  ok: false
  productCode: string
  error: LineError
  /** A constant sentence. */
  detail: string
}

export type CartLine = BoughtLine | RefusedLine

/** What a line needs before it can be answered. */
export type LinePlan =
  | { kind: 'answered'; line: CartLine }
  | { kind: 'claim'; slot: Slot }
  | { kind: 'take_over'; slot: Slot }
  | { kind: 'pay_incomplete'; slot: HeldSlot }

/** The products that a cart names, each once. */
export function productsOf(productCodes: readonly string[]): Product[] {
  return [...new Set(productCodes.flatMap((code) => productOf(code) ?? []))]
}

/**
 * Plans a cart against the slots of its products: one plan a line, in the order requested.
 * @param now Unix milliseconds
 * @param canPay whether there may be a card to pay a new purchase with
 */
export function planCart(
  productCodes: readonly string[],
  slots: readonly Slot[],
  now: number,
  canPay: boolean,
): LinePlan[] {
  const seen = new Set<Product>()
  return productCodes.map((code) => {
    const product = productOf(code)
    const slot = slots.find((candidate) => candidate.product === product)
    if (product === undefined || slot === undefined) return answered(refused(code, 'unknown_plan'))
    if (seen.has(product)) return answered(refused(code, 'already_subscribed'))
    seen.add(product)
    return planLine(code, slot, now, canPay)
  })
}

/** The plan that a slot's state allows. A pending slot is taken over only after its lease has ended. */
export function planLine(code: string, slot: Slot, now: number, canPay: boolean): LinePlan {
  if (isFree(slot)) return canPay ? { kind: 'claim', slot } : answered(refused(code, 'payment_method_required'))
  if (isHeld(slot)) {
    return slot.state === 'incomplete'
      ? { kind: 'pay_incomplete', slot }
      : answered(refused(code, 'already_subscribed'))
  }
  const leased = slot.claim !== undefined && slot.claim.leaseUntil > now
  return leased ? answered(refused(code, 'checkout_in_progress')) : { kind: 'take_over', slot }
}

function answered(line: CartLine): LinePlan {
  return { kind: 'answered', line }
}

/** A cart of which every line is refused. */
export function refuseAll(productCodes: readonly string[], error: LineError): LinePlan[] {
  return productCodes.map((code) => answered(refused(code, error)))
}

export function refused(productCode: string, error: LineError, declineCode?: string | null): RefusedLine {
  return { ok: false, productCode, error, detail: lineErrorDetail(error, declineCode) }
}

/** The line for a gateway's refusal. */
export function refusedBy(productCode: string, reason: RefusalReason, declineCode?: string | null): RefusedLine {
  return refused(productCode, lineErrors[reason], declineCode)
}

/** The line for a purchase that holds its slot: live, or waiting for its buyer to authenticate. */
export function bought(slot: HeldSlot, { payment }: GatewaySubscription): BoughtLine {
  return {
    ok: true,
    productCode: planCodes[slot.product],
    product: slot.product,
    status: slot.state,
    currentPeriodEnd: slot.subscription?.currentPeriodEnd ?? null,
    cancelAt: slot.subscription?.cancelAt ?? null,
    couponCode: slot.coupon?.code ?? null,
    clientSecret: payment.kind === 'requires_action' ? payment.clientSecret : null,
  }
}
