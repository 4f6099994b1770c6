import type { PaymentMethod, PaymentMethodCreateParams, StripeError } from '@stripe/stripe-js'

/** How the card fields look, as far as the page asked for it: CSS values by custom property. */
export type Look = Record<string, string>

/** What the page sets of the card fields. `layout`: a single line without a border, or fields with labels. */
export interface CardSettings {
  readonly layout: 'card' | 'payment'
  readonly scheme: 'light' | 'dark'
  readonly look: Look
  readonly hidePostalCode: boolean
  readonly postalCode: string
  readonly disabled: boolean
}

/** What the fields hold, as the page may know it: never the card's data. */
export interface CardState {
  readonly empty: boolean
  readonly complete: boolean
  readonly brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown'
  readonly postalCode: string
  readonly error: FieldError | undefined
}

/** Why a field is not valid, in the words of Stripe.js. */
export interface FieldError {
  readonly type: 'validation_error'
  readonly code: string
  readonly message: string
}

/** Beside the card, what a payment method is created of. */
export type PaymentMethodDetails = Pick<PaymentMethodCreateParams, 'billing_details' | 'allow_redisplay' | 'metadata'>

/** What the page's script asks of the frame with the card fields. */
export type ToCardFrame =
  | { readonly type: 'configure'; readonly publishableKey: string; readonly settings: CardSettings }
  | { readonly type: 'clear' | 'focus' | 'blur' }
  | { readonly type: 'validate'; readonly id: number }
  | { readonly type: 'create'; readonly id: number; readonly details: PaymentMethodDetails }

/** The frame's answer to a request with an id. */
export type CardAnswer =
  | { readonly error: StripeError }
  | { readonly paymentMethod: PaymentMethod }
  | { readonly valid: true }

/** What the frame with the card fields says. */
export type FromCardFrame =
  | { readonly type: 'ready' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'change'; readonly state: CardState }
  | { readonly type: 'answer'; readonly id: number; readonly answer: CardAnswer }

/** What the 3-D Secure page needs, and that the buyer has closed it from outside. */
export type ToChallengeFrame = ChallengeRequest | { readonly type: 'close' }

/** Which step the 3-D Secure page is for. */
export interface ChallengeRequest {
  readonly type: 'open'
  readonly publishableKey: string
  readonly clientSecret: string
  readonly scheme: 'light' | 'dark'
}

/** That the 3-D Secure step is over, however it ended. */
export interface FromChallengeFrame {
  readonly type: 'done'
}

/** The name under which a frame is handed its port. */
export const openMessage = 'stripe-js:open'
