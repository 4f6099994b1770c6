import type Stripe from 'stripe'
import { followAttempt } from './collection.ts'
import type { Context } from './context.ts'
import { invalidRequest, resourceMissing, StripeFault } from './errors.ts'
import { page, pageShape, within } from './pagination.ts'
import { flag, type ParsedBy, paramsFor, range, text } from './params.ts'
import { type Attempt, attemptPayment, failAuthentication, type PaymentIntent } from './paymentIntents.ts'
import { cardError, obtainMethod } from './paymentMethods.ts'
import { route } from './route.ts'

const confirmParams = paramsFor<Stripe.PaymentIntentConfirmParams>()(
  {
    error_on_requires_action: flag().optional(),
    off_session: flag().optional(),
    payment_method: text().optional(),
    return_url: text().optional(),
    use_stripe_sdk: flag().optional(),
  },
  [
    'amount_to_confirm',
    'capture_method',
    'confirmation_token',
    'mandate',
    'mandate_data',
    'payment_method_data',
    'payment_method_options',
    'receipt_email',
    'setup_future_usage',
    'shipping',
  ],
)
const listParams = paramsFor<Stripe.PaymentIntentListParams>()(
  { ...pageShape, created: range().optional(), customer: text().optional() },
  ['customer_account'],
)
const noParams = paramsFor<Stripe.PaymentIntentRetrieveParams>()({})

function requireIntent(context: Context, id: string): PaymentIntent {
  const intent = context.store.get('payment_intents', id)
  if (intent === undefined) throw resourceMissing('payment_intent', id, 'id')
  return intent
}

function unexpectedState(intent: PaymentIntent, verb: string): StripeFault {
  const message = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  const error = {
    type: 'invalid_request_error' as const,
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  }
  return new StripeFault(400, error)
}

function refused(attempt: Attempt): StripeFault | undefined {
  if (attempt.result !== 'declined') return undefined
  const { code = 'card_declined', decline_code = 'generic_decline', message = '' } = attempt.error
  const more = { ...(attempt.charge !== null && { charge: attempt.charge }), payment_intent: attempt.intent }
  return cardError({ code, decline_code, message }, more, true)
}

function confirm(context: Context, sent: ParsedBy<typeof confirmParams>, id: string): PaymentIntent {
  const intent = requireIntent(context, id)
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw unexpectedState(intent, 'confirm')
  }
  const chosen = sent.payment_method ?? intent.payment_method
  if (chosen === null) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method."
    throw invalidRequest(message, 'payment_intent_unexpected_state')
  }
  const method = obtainMethod(context, chosen, 'payment_method')
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest(
      'The provided PaymentMethod belongs to a different Customer.',
      'payment_method_unexpected_state',
      'payment_method',
    )
  }
  const attempt = attemptPayment(context, intent, method.id, { offSession: sent.off_session ?? false })
  followAttempt(context, attempt)
  const fault = refused(attempt)
  if (fault !== undefined) throw fault
  return requireIntent(context, id)
}

/** Finishes a pending 3-D Secure step as the buyer would, and follows what comes of it. 400 when no step is pending. */
export function authenticatePayment(context: Context, id: string, outcome: 'succeed' | 'fail'): PaymentIntent {
  const intent = requireIntent(context, id)
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpectedState(intent, 'authenticate')
  const attempt =
    outcome === 'fail'
      ? failAuthentication(context, intent)
      : attemptPayment(context, intent, intent.payment_method, { offSession: false, authenticated: true })
  followAttempt(context, attempt)
  return requireIntent(context, id)
}

/** Endpoints of https://docs.stripe.com/api/payment_intents that billing needs. */
export const paymentIntentRoutes = [
  route('GET', '/v1/payment_intents', listParams, ({ store }, sent) => {
    const rows = store.all('payment_intents').filter((row) => {
      return (sent.customer ?? row.customer) === row.customer && within(row.created, sent.created)
    })
    return page(rows, sent, '/v1/payment_intents')
  }),
  route('GET', '/v1/payment_intents/:id', noParams, (context, _sent, id) => requireIntent(context, id)),
  route('POST', '/v1/payment_intents/:id/confirm', confirmParams, confirm),
]
