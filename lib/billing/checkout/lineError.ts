import * as z from 'zod/mini'
import type { RefusalReason } from '../gateway/gatewayAnswer.ts'

/** Why a line was not bought; the wire-level codes of the checkout answer. */
export const lineErrorSchema = z.enum([
  'unknown_plan',
  'not_for_sale',
  'price_changed',
  'currency_mismatch',
  'already_subscribed',
  'checkout_in_progress',
  'coupon_already_redeemed',
  'coupon_invalid',
  'coupon_expired',
  'coupon_not_applicable',
  'payment_method_required',
  'payment_method_invalid',
  'card_declined',
  'billing_details_required',
  'invoice_overdue',
  'organization_deleting',
  'gateway_refused',
  'gateway_unavailable',
])
export type LineError = z.infer<typeof lineErrorSchema>

const details = {
  unknown_plan: 'No product is sold under this code',
  not_for_sale: 'This product is not for sale at the moment',
  price_changed: 'The price has changed since it was shown',
  currency_mismatch: 'The price is in another currency than the organization’s other purchases',
  already_subscribed: 'The organization is already subscribed to this product',
  checkout_in_progress: 'Another request is buying this product right now',
  coupon_already_redeemed: 'This coupon has already been redeemed',
  coupon_invalid: 'This coupon is unknown, or cannot be used here',
  coupon_expired: 'This coupon has expired or is used up',
  coupon_not_applicable: 'This coupon does not apply to this purchase',
  payment_method_required: 'No card was given and the organization has none on file',
  payment_method_invalid: 'This is not a card of the organization',
  card_declined: 'The bank declined the card',
  billing_details_required: 'The organization’s billing details lack what an invoice needs, such as its address',
  invoice_overdue: 'An invoice of the organization is more than 7 days overdue; pay it first',
  organization_deleting: 'The organization is being deleted',
  gateway_refused: 'The payment gateway refused the purchase',
  gateway_unavailable: 'The outcome is not known yet; the request is safe to send again',
} as const satisfies Record<LineError, string>

/** The general words for a bank's decline code; the code itself, which helps a thief, is not shown. */
const declineDetails: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card has insufficient funds',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The card’s security code is incorrect',
  processing_error: 'The bank could not process the card; try again later',
  authentication_required: 'The card was not authenticated',
  payment_intent_authentication_failure: 'The card was not authenticated',
  card_velocity_exceeded: 'The card has exceeded its limit',
}

/** The line error for each of the gateway’s refusals. */
export const lineErrors = {
  card_declined: 'card_declined',
  payment_method_required: 'payment_method_required',
  payment_method_invalid: 'payment_method_invalid',
  coupon_invalid: 'coupon_invalid',
  coupon_expired: 'coupon_expired',
  coupon_not_applicable: 'coupon_not_applicable',
  customer_missing: 'gateway_refused',
  email_invalid: 'gateway_refused',
  address_required: 'billing_details_required',
  price_unavailable: 'not_for_sale',
  currency_mismatch: 'currency_mismatch',
  not_found: 'gateway_refused',
  already_done: 'gateway_refused',
  other: 'gateway_refused',
} as const satisfies Record<RefusalReason, LineError>

/** The constant sentence for a refused line, in more detail if the bank's decline code is known. */
export function lineErrorDetail(error: LineError, declineCode?: string | null): string {
  return declineDetails[declineCode ?? ''] ?? details[error]
}
