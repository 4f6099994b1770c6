import { ServiceError } from '../core/errors.ts'

export type BillingErrorCode =
  | 'checkout_in_progress'
  | 'not_subscribed'
  | 'subscription_ended'
  | 'nothing_to_pay'
  | 'card_declined'
  | 'payment_method_required'
  | 'payment_method_invalid'
  | 'payment_method_not_found'
  | 'payment_method_in_use'
  | 'card_not_accepted'
  | 'invoice_not_found'
  | 'details_in_use'
  | 'organization_deleting'
  | 'gateway_refused'
  | 'gateway_unavailable'
  | 'invalid_signature'
  | 'thin_event'
  | 'event_not_recorded'

/** Refuses a billing operation as a whole. Refusals of single cart lines are values (`lineError.ts`). */
export class BillingError extends ServiceError<BillingErrorCode> {
  override readonly name = 'BillingError'
}
