import { type Product, planCodes } from '../catalog.ts'
import type { DetailPath } from '../customer/missingDetails.ts'
import type { RefusalReason } from '../gateway/gatewayAnswer.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import type { SoldSubscription } from '../slot/priceResource.ts'
import type { HeldState, Slot } from '../slot/slot.ts'
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
  /** What is recorded of its price and next charge. */
  sold: SoldSubscription
  /** Present while the card needs authentication (3-D Secure): the buyer confirms the payment with it. */
  clientSecret: string | null
}

export interface RefusedLine {
  ok: false
  productCode: string
  error: LineError
  /** A constant sentence. */
  detail: string
  /** Present if the error is `billing_details_required`. */
  missing?: readonly DetailPath[]
}

export type CartLine = BoughtLine | RefusedLine

/** A subscription that holds its slot. */
export type HeldSubscription = GatewaySubscription & { status: HeldState }

/** A line that needs nothing more. */
export interface AnsweredLine {
  kind: 'answered'
  line: CartLine
}

export function answered(line: CartLine): AnsweredLine {
  return { kind: 'answered', line }
}

/** A line that is refused. */
export function answeredRefused(...refusal: Parameters<typeof refused>): AnsweredLine {
  return answered(refused(...refusal))
}

export function refused(productCode: string, error: LineError, declineCode?: string | null): RefusedLine {
  return { ok: false, productCode, error, detail: lineErrorDetail(error, declineCode) }
}

/** The line of a product that cannot be sold until these details are given. */
export function refusedFor(productCode: string, missing: readonly DetailPath[]): RefusedLine {
  return { ...refused(productCode, 'billing_details_required'), missing }
}

/** The line for a gateway's refusal. */
export function refusedBy(productCode: string, reason: RefusalReason, declineCode?: string | null): RefusedLine {
  if (reason === 'address_required') return refusedFor(productCode, ['address'])
  return refused(productCode, lineErrors[reason], declineCode)
}

/** The line for a purchase that holds its slot: live, or waiting for its buyer to authenticate. */
export function bought(
  { product, coupon, subscription }: Slot,
  { status, currentPeriodEnd, cancelAt, payment }: HeldSubscription,
): BoughtLine {
  return {
    ok: true,
    productCode: planCodes[product],
    product,
    status,
    currentPeriodEnd,
    cancelAt,
    couponCode: coupon?.code ?? null,
    sold: subscription ?? {},
    clientSecret: payment.kind === 'requires_action' ? payment.clientSecret : null,
  }
}
