import type Stripe from 'stripe'
import { nulls } from '../params/words.ts'
import { change, create } from '../resources/events.ts'
import { type Context, newId } from '../state/context.ts'
import { mintClientSecret } from '../state/ids.ts'
import { invalidRequest, type StripeFault } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { authorize } from './authorization.ts'
import { testCard } from './cards.ts'
import { recordCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { authenticationFailure, authenticationStep, type IntentTerms } from './intents.ts'
import { cardError } from './paymentMethods.ts'
import { authenticationRequired, type Decline } from './testCards.ts'

/** A PaymentIntent in its unexpanded wire form. */
export type PaymentIntent = Wire<Stripe.PaymentIntent>

interface Declined {
  result: 'declined'
  intent: PaymentIntent
  error: Wire<Stripe.PaymentIntent.LastPaymentError>
  charge: string | null
}

/** The outcome of an attempt to pay; `declined` carries the refusal of the bank. */
export type Attempt = { result: 'succeeded' | 'requires_action'; intent: PaymentIntent } | Declined

/** Why the bank declined a payment. */
export function declineOf({ error }: Declined): Decline {
  const { code = 'card_declined', decline_code = 'generic_decline', message = '' } = error
  return { code, decline_code, message }
}

/** The 402 of a declined payment, which keeps the failed charge. */
export function declinedPayment(attempt: Declined): StripeFault {
  const { charge, intent: payment_intent } = attempt
  return cardError(declineOf(attempt), { ...(charge !== null && { charge }), payment_intent }, true)
}

/** What a new PaymentIntent collects. `invoice` is null if it pays no invoice. */
interface PaymentTerms extends IntentTerms {
  invoice: string | null
  amount: number
  currency: string
  setup_future_usage: string | null
  receipt_email: string | null
  capture_method?: PaymentIntent['capture_method'] | undefined
  confirmation_method?: PaymentIntent['confirmation_method'] | undefined
  shipping?: PaymentIntent['shipping'] | undefined
}

/** Opens a PaymentIntent and emits `payment_intent.created`. */
export function openIntent(context: Context, terms: PaymentTerms): PaymentIntent {
  const id = newId(context, 'payment_intents')
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    ...nulls(
      'application application_fee_amount canceled_at cancellation_reason customer_account',
      'excluded_payment_method_types last_payment_error latest_charge managed_payments next_action',
      'on_behalf_of payment_method_configuration_details payment_record processing review',
      'source statement_descriptor statement_descriptor_suffix transfer_group',
    ),
    allowed_payment_method_types: terms.allowed,
    amount: terms.amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: terms.automatic,
    capture_method: terms.capture_method ?? 'automatic',
    client_secret: mintClientSecret(context.random, id),
    confirmation_method: terms.confirmation_method ?? 'automatic',
    created: context.now,
    currency: terms.currency,
    customer: terms.customer,
    description: terms.description,
    livemode: false,
    metadata: terms.metadata,
    payment_method: terms.method,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: terms.allowed ?? ['card'],
    receipt_email: terms.receipt_email,
    setup_future_usage: terms.setup_future_usage,
    shipping: terms.shipping ?? null,
    status: terms.method === null ? 'requires_payment_method' : 'requires_confirmation',
  }
  if (terms.invoice !== null) context.store.put('payment_terms', { id, invoice: terms.invoice })
  return create(context, 'payment_intents', intent, 'payment_intent.created')
}

function succeed(context: Context, intent: PaymentIntent, method: string): Attempt {
  const charge = recordCharge(context, intent, method, null)
  const { dispute } = testCard(context.store.get('cards', method)?.card ?? 'visa')
  if (dispute !== undefined) openDispute(context, charge, dispute)
  const paid = { latest_charge: charge.id, payment_method: method, next_action: null, last_payment_error: null }
  const [end, type] = charge.captured
    ? ([{ status: 'succeeded', amount_received: intent.amount }, 'payment_intent.succeeded'] as const)
    : ([
        { status: 'requires_capture', amount_capturable: intent.amount },
        'payment_intent.amount_capturable_updated',
      ] as const)
  return { result: 'succeeded', intent: change(context, 'payment_intents', intent, { ...paid, ...end }, type) }
}

function refuse(
  context: Context,
  intent: PaymentIntent,
  method: string,
  error: Wire<Stripe.PaymentIntent.LastPaymentError>,
  charge: string | null,
): Attempt {
  const patch = {
    status: 'requires_payment_method' as const,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    ...(charge !== null && { latest_charge: charge }),
  }
  const next = change(context, 'payment_intents', intent, patch, 'payment_intent.payment_failed')
  return { result: 'declined', intent: next, error: { ...error, ...describeMethod(context, method) }, charge }
}

function describeMethod(context: Context, method: string): { payment_method?: Wire<Stripe.PaymentMethod> } {
  const row = context.store.get('payment_methods', method)
  return row === undefined ? {} : { payment_method: row }
}

/**
 * Tries to pay with a card; charges it, waits for authentication, or records the refusal. If `buyerCanReturn` is set and a payment without
 * the buyer needs authentication, it waits for the buyer; otherwise it is refused.
 */
export function attemptPayment(
  context: Context,
  intent: PaymentIntent,
  method: string,
  how: { offSession: boolean; authenticated?: boolean; buyerCanReturn?: boolean },
): Attempt {
  const asked = authorize(context, method, { offSession: how.offSession, authenticated: how.authenticated ?? false })
  const waits = how.buyerCanReturn && asked.result === 'declined' && asked.decline === authenticationRequired
  const answer = waits ? { result: 'authenticate' as const } : asked
  if (answer.result === 'approved') return succeed(context, intent, method)
  if (answer.result === 'authenticate') {
    const patch = {
      status: 'requires_action' as const,
      next_action: authenticationStep(intent.id),
      payment_method: method,
      last_payment_error: null,
    }
    const next = change(context, 'payment_intents', intent, patch, 'payment_intent.requires_action')
    return { result: 'requires_action', intent: next }
  }
  const { decline } = answer
  const charge = recordCharge(context, intent, method, decline)
  const error: Wire<Stripe.PaymentIntent.LastPaymentError> = {
    type: 'card_error',
    ...decline,
    charge: charge.id,
    doc_url: 'https://stripe.com/docs/error-codes/card-declined',
    ...describeMethod(context, method),
  }
  return refuse(context, intent, method, error, charge.id)
}

/** Records a failed 3-D Secure step: the intent returns to `requires_payment_method`, nothing is charged. */
export function failAuthentication(context: Context, intent: PaymentIntent): Attempt {
  const method = intent.payment_method ?? ''
  const failure = authenticationFailure(intent)
  const error = { type: 'card_error' as const, ...failure, ...describeMethod(context, method) }
  return refuse(context, intent, method, error, null)
}

/** Takes the whole amount of a payment that was only authorized. Throws a 400 if it was not. */
export function captureIntent(
  context: Context,
  intent: PaymentIntent,
  metadata: PaymentIntent['metadata'],
): PaymentIntent {
  const charge = intent.latest_charge === null ? undefined : context.store.get('charges', intent.latest_charge)
  if (intent.status !== 'requires_capture' || charge === undefined) {
    const message = `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`
    throw invalidRequest(message, 'payment_intent_unexpected_state')
  }
  change(context, 'charges', charge, { captured: true, amount_captured: charge.amount }, 'charge.captured')
  const patch = { status: 'succeeded' as const, amount_capturable: 0, amount_received: intent.amount, metadata }
  return change(context, 'payment_intents', intent, patch, 'payment_intent.succeeded')
}

/** Cancels an unpaid PaymentIntent; if its invoice was voided, with the reason `void_invoice`. */
export function cancelIntent(
  context: Context,
  id: string,
  reason: PaymentIntent['cancellation_reason'] = 'void_invoice',
): void {
  const intent = context.store.get('payment_intents', id)
  if (intent === undefined || intent.status === 'succeeded' || intent.status === 'canceled') return
  const patch = {
    status: 'canceled' as const,
    canceled_at: context.now,
    cancellation_reason: reason,
    next_action: null,
    amount_capturable: 0,
  }
  change(context, 'payment_intents', intent, patch, 'payment_intent.canceled')
}
