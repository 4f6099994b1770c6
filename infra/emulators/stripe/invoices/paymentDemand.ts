import { type Attempt, declineOf } from '../payments/paymentIntents.ts'
import { cardError } from '../payments/paymentMethods.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, StripeFault } from '../wire/errors.ts'

/** Throws the 402 of `error_if_incomplete`, with everything undone, unless the attempt succeeded. */
export function demandSuccess(attempt: Attempt): void {
  if (attempt.result === 'succeeded') return
  if (attempt.result === 'declined') throw cardError(declineOf(attempt))
  throw new StripeFault(402, {
    type: 'card_error',
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed successfully. ' +
      'Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.',
  })
}

/** The 400 of a payment that is due with no card to charge. */
export function missingMethod({ settings }: Pick<Context, 'settings'>): StripeFault {
  const message =
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. ' +
    'For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.'
  return invalidRequest(message, settings.missingSourceCode ? 'resource_missing' : undefined)
}
