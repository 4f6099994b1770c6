/** Why the gateway refused for good. `customer_missing`, `email_invalid`, `price_unavailable`, `not_found` and `already_done` are acted on, never shown. */
export type RefusalReason =
  | 'card_declined'
  | 'payment_method_required'
  | 'payment_method_invalid'
  | 'coupon_invalid'
  | 'customer_missing'
  | 'email_invalid'
  | 'address_required'
  | 'price_unavailable'
  | 'not_found'
  | 'already_done'
  | 'other'

/**
 * What a call to the gateway came to. The one table that decides which is which is `lib/adapters/stripe/classifyError.ts`.
 * - `ok`: 2xx. `replayed` answers are as old as the first sending of their idempotency key.
 * - `refused`: an error that executing this very request produced. Nothing was bought.
 * - `unknown`: it may or may not have happened. Never a refusal. `saved` marks a 5xx that the gateway stored under the key,
 *   so that repeating the key can only repeat the error. `notExecuted`: no attempt of this call was or will be executed; an
 *   earlier call with the same key may have been.
 */
export type GatewayAnswer<Value> =
  | { kind: 'ok'; value: Value; replayed: boolean }
  | { kind: 'refused'; reason: RefusalReason; declineCode?: string }
  | { kind: 'unknown'; saved: boolean; notExecuted?: true }
