import { secondsToRfc3339 } from '../core/clock.ts'
import { type Product, planCodes } from './catalog.ts'
import type { RefusalReason } from './gatewayAnswer.ts'
import type { Slot, SlotState } from './slot.ts'
import type { GatewaySubscription } from './subscription.ts'

/** Why a line was not bought; the wire-level codes of the checkout answer. */
export type LineError =
  | 'unknown_plan'
  | 'already_subscribed'
  | 'checkout_in_progress'
  | 'coupon_already_redeemed'
  | 'coupon_invalid'
  | 'payment_method_required'
  | 'payment_method_invalid'
  | 'card_declined'
  | 'gateway_refused'
  | 'gateway_unavailable'

export interface BoughtLine {
  ok: true
  product_code: string
  product: Product
  subscription: {
    product: Product
    plan_code: string
    status: SlotState
    current_period_end: string | null
    cancel_at: string | null
    coupon_code: string | null
  }
  client: { action: 'none' | 'confirm_payment'; client_secret: string | null }
}

export interface RefusedLine {
  ok: false
  product_code: string
  error: LineError
  detail: string
}

export type CartLine = BoughtLine | RefusedLine

const details = {
  unknown_plan: 'No product is sold under this code',
  already_subscribed: 'The organization is already subscribed to this product',
  checkout_in_progress: 'Another request is buying this product right now',
  coupon_already_redeemed: 'This coupon has already been redeemed',
  coupon_invalid: 'This coupon is unknown, expired, used up, or not for this product',
  payment_method_required: 'No card was given and the organization has none on file',
  payment_method_invalid: 'This is not a card of the organization',
  card_declined: 'The bank declined the card',
  gateway_refused: 'The payment gateway refused the purchase',
  gateway_unavailable: 'The outcome is not known yet; the request is safe to send again',
} as const satisfies Record<LineError, string>

/** The general words for a bank's decline code; what the code itself would tell a thief stays with the bank. */
const declineDetails: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card has insufficient funds',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The card’s security code is incorrect',
  processing_error: 'The bank could not process the card; try again later',
  authentication_required: 'The card was not authenticated',
  payment_intent_authentication_failure: 'The card was not authenticated',
  card_velocity_exceeded: 'The card has exceeded its limit',
}

const lineErrors = {
  card_declined: 'card_declined',
  payment_method_required: 'payment_method_required',
  payment_method_invalid: 'payment_method_invalid',
  coupon_invalid: 'coupon_invalid',
  customer_missing: 'gateway_refused',
  not_found: 'gateway_refused',
  already_done: 'gateway_refused',
  other: 'gateway_refused',
} as const satisfies Record<RefusalReason, LineError>

export function refused(productCode: string, error: LineError, declineCode?: string | null): RefusedLine {
  return { ok: false, product_code: productCode, error, detail: declineDetails[declineCode ?? ''] ?? details[error] }
}

/** The line for a gateway's refusal. */
export function refusedBy(productCode: string, reason: RefusalReason, declineCode?: string | null): RefusedLine {
  return refused(productCode, lineErrors[reason], declineCode)
}

/** The line for a purchase that stands: live, or waiting for its buyer to authenticate. */
export function bought(slot: Slot, subscription: GatewaySubscription): BoughtLine {
  const planCode = planCodes[slot.product]
  const payment = subscription.firstPayment
  return {
    ok: true,
    product_code: planCode,
    product: slot.product,
    subscription: {
      product: slot.product,
      plan_code: planCode,
      status: slot.state,
      current_period_end: secondsToRfc3339(slot.subscription?.currentPeriodEnd),
      cancel_at: secondsToRfc3339(slot.subscription?.cancelAt),
      coupon_code: slot.coupon?.code ?? null,
    },
    client:
      payment.kind === 'requires_action'
        ? { action: 'confirm_payment', client_secret: payment.clientSecret }
        : { action: 'none', client_secret: null },
  }
}
