/**
 * Why the gateway refused for good. Callers act on `customer_missing`, `email_invalid`, `price_unavailable`, `not_found` and
 * `already_done`, and never show them.
 */
export type RefusalReason =
  | 'card_declined'
  | 'payment_method_required'
  | 'payment_method_invalid'
  | 'coupon_invalid'
  | 'coupon_expired'
  | 'coupon_not_applicable'
  | 'customer_missing'
  | 'email_invalid'
  | 'address_required'
  | 'price_unavailable'
  | 'currency_mismatch'
  | 'not_found'
  | 'already_done'
  | 'other'

/**
 * The outcome of a call to the gateway. Only the table in `lib/adapters/stripe/classifyError.ts` decides between the kinds.
 * - `ok`: 2xx. If `replayed`, the answer is as old as the first sending of its idempotency key.
 * - `refused`: executing this very request produced an error. Nothing was bought.
 * - `unknown`: the call may or may not have happened. Never treat it as a refusal. `saved`: the gateway stored a 5xx under the key, so
 *   repeating the key can only repeat the error. `notExecuted`: no attempt of this call was or will be executed, but an earlier call
 *   with the same key may have been.
 */
export type GatewayAnswer<Value> =
  | { kind: 'ok'; value: Value; replayed: boolean }
  | { kind: 'refused'; reason: RefusalReason; declineCode?: string }
  | { kind: 'unknown'; saved: boolean; notExecuted?: true }
