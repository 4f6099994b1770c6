import { followAttempt } from '../invoices/collection.ts'
import { page, within } from '../params/pagination.ts'
import { mergeMetadata, type ParsedBy } from '../params/params.ts'
import { change } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, notCovered, resourceMissing, StripeFault } from '../wire/errors.ts'
import { forBrowsers, route, stripeJsRoute } from '../wire/route.ts'
import { createIntent } from './paymentIntentCreate.ts'
import {
  authenticateParams,
  cancelParams,
  confirmParams,
  createParams,
  listParams,
  noParams,
  updateParams,
} from './paymentIntentParams.ts'
import { type Attempt, attemptPayment, cancelIntent, failAuthentication, type PaymentIntent } from './paymentIntents.ts'
import { attach, cardError, markSetUp, obtainMethod } from './paymentMethods.ts'

/** The PaymentIntent of the path, or 404. */
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

/** Attaches the card of a payment without an invoice when `setup_future_usage` asks for it; an unattached card cannot be used again. */
function attachOrDetach(context: Context, intent: PaymentIntent, method: string): void {
  if (context.store.get('payment_terms', intent.id) !== undefined) return
  if (intent.setup_future_usage !== null && intent.customer !== null) {
    attach(context, method, intent.customer)
    if (intent.setup_future_usage === 'off_session') markSetUp(context, method)
    return
  }
  const card = context.store.get('cards', method)
  const loose = context.store.get('payment_methods', method)?.customer == null
  if (loose && card !== undefined) context.store.put('cards', { ...card, detached: true })
}

/** Confirms as Stripe.js or a server would: succeeds, waits for 3-D Secure, or answers 402 and keeps the failed charge. */
function confirmIntent(context: Context, sent: ParsedBy<typeof confirmParams>, id: string): PaymentIntent {
  if (sent.error_on_requires_action) throw notCovered('error_on_requires_action=true')
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
  if (attempt.result === 'succeeded') attachOrDetach(context, attempt.intent, method.id)
  const fault = refused(attempt)
  if (fault !== undefined) throw fault
  return requireIntent(context, id)
}

/** Finishes a pending 3-D Secure step as the buyer would, and applies the outcome. 400 when no step is pending. */
export function authenticatePayment(context: Context, id: string, outcome: 'succeed' | 'fail'): PaymentIntent {
  const intent = requireIntent(context, id)
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpectedState(intent, 'authenticate')
  const attempt =
    outcome === 'fail'
      ? failAuthentication(context, intent)
      : attemptPayment(context, intent, intent.payment_method, { offSession: false, authenticated: true })
  followAttempt(context, attempt)
  if (attempt.result === 'succeeded' && attempt.intent.payment_method !== null)
    attachOrDetach(context, attempt.intent, attempt.intent.payment_method)
  return requireIntent(context, id)
}

const cancelable = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing']

/** 501 for canceling or changing the PaymentIntent of an invoice: Stripe documents only that the invoice is voided instead. */
function requireWithoutInvoice(context: Context, id: string, verb: string): PaymentIntent {
  const intent = requireIntent(context, id)
  if (context.store.get('payment_terms', id) !== undefined) throw notCovered(`${verb} the PaymentIntent of an invoice`)
  return intent
}

function cancel(context: Context, sent: ParsedBy<typeof cancelParams>, id: string): PaymentIntent {
  const intent = requireWithoutInvoice(context, id, 'canceling')
  if (!cancelable.includes(intent.status)) throw unexpectedState(intent, 'cancel')
  cancelIntent(context, id, sent.cancellation_reason ?? null)
  return requireIntent(context, id)
}

function update(context: Context, sent: ParsedBy<typeof updateParams>, id: string): PaymentIntent {
  const intent = requireWithoutInvoice(context, id, 'changing')
  const method = sent.payment_method && obtainMethod(context, sent.payment_method, 'payment_method').id
  const closed = !['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)
  if (closed && (sent.amount !== undefined || method !== undefined)) throw unexpectedState(intent, 'update')
  const patch = {
    ...(sent.amount !== undefined && { amount: sent.amount }),
    ...(sent.description !== undefined && { description: sent.description }),
    ...(method !== undefined && {
      payment_method: method,
      status: 'requires_confirmation' as const,
      next_action: null,
    }),
    metadata: mergeMetadata(intent.metadata, sent.metadata),
  }
  return change(context, 'payment_intents', intent, patch)
}

/** Endpoints of https://docs.stripe.com/api/payment_intents that billing needs. */
export const paymentIntentRoutes = [
  route('POST', '/v1/payment_intents', createParams, (context, sent) => {
    const { id } = createIntent(context, sent)
    return sent.confirm ? confirmIntent(context, { off_session: sent.off_session }, id) : requireIntent(context, id)
  }),
  route('GET', '/v1/payment_intents', listParams, ({ store }, sent) => {
    const rows = store.all('payment_intents').filter((row) => {
      return (sent.customer ?? row.customer) === row.customer && within(row.created, sent.created)
    })
    return page(rows, sent, '/v1/payment_intents')
  }),
  forBrowsers(
    'payment_intents',
    route('GET', '/v1/payment_intents/:id', noParams, (context, _sent, id) => requireIntent(context, id)),
  ),
  route('POST', '/v1/payment_intents/:id', updateParams, update),
  forBrowsers('payment_intents', route('POST', '/v1/payment_intents/:id/confirm', confirmParams, confirmIntent)),
  stripeJsRoute('payment_intents', '/v1/payment_intents/:id/authenticate', authenticateParams, (context, sent, id) =>
    authenticatePayment(context, id, sent.outcome),
  ),
  route('POST', '/v1/payment_intents/:id/cancel', cancelParams, cancel),
]
