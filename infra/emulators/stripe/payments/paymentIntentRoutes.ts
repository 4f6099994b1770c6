import { followAttempt } from '../invoices/collection.ts'
import { mergeMetadata, type ParsedBy, sentChanges } from '../params/params.ts'
import { wireAddress } from '../resources/addresses.ts'
import { change } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { forBrowsers, route, stripeJsRoute } from '../wire/route.ts'
import { useToken } from './confirmationTokens.ts'
import {
  authenticateParams,
  confirmedMethod,
  intentTerms,
  isUnconfirmed,
  requireConfirm,
  unexpectedState,
} from './intents.ts'
import {
  cancelParams,
  captureParams,
  confirmParams,
  createParams,
  listParams,
  updateParams,
} from './paymentIntentParams.ts'
import {
  attemptPayment,
  cancelIntent,
  captureIntent,
  declinedPayment,
  failAuthentication,
  openIntent,
  type PaymentIntent,
} from './paymentIntents.ts'
import { attach, markSetUp, obtainMethod } from './paymentMethods.ts'
import { refundCharge } from './refunds.ts'

/** The least that can be charged, in minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
const minimum = new Map([
  ['usd', 50],
  ['eur', 50],
  ['gbp', 30],
])

function wireShipping(sent: NonNullable<ParsedBy<typeof createParams>['shipping']>): PaymentIntent['shipping'] {
  const { name, carrier = null, phone = null, tracking_number = null } = sent
  const address = wireAddress(sent.address)
  return { name, carrier, phone, tracking_number, ...(address !== null && { address }) }
}

/** Opens an unconfirmed PaymentIntent without an invoice. */
function createIntent(context: Context, sent: ParsedBy<typeof createParams>): PaymentIntent {
  const currency = sent.currency.toLowerCase()
  const terms = intentTerms(context, sent)
  const least = minimum.get(currency) ?? 1
  if (sent.amount < least) {
    throw invalidRequest(`Amount must be at least ${least / 100} ${currency}`, 'amount_too_small', 'amount')
  }
  if (sent.off_session !== undefined && !sent.confirm) {
    throw invalidRequest('off_session can only be used with confirm=true.', undefined, 'off_session')
  }
  requireConfirm(sent)
  const {
    amount,
    receipt_email = null,
    setup_future_usage = null,
    shipping,
    capture_method,
    confirmation_method,
  } = sent
  return openIntent(context, {
    ...terms,
    invoice: null,
    amount,
    capture_method,
    confirmation_method,
    currency,
    setup_future_usage,
    shipping: shipping && wireShipping(shipping),
    receipt_email,
  })
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
  if (sent.error_on_requires_action)
    throw notCovered('value', 'error_on_requires_action=true', 'error_on_requires_action')
  const found = requireRow(context, 'payment_intents', id)
  if (!isUnconfirmed(found)) throw unexpectedState(found, 'confirm')
  const used = sent.confirmation_token && useToken(context, sent.confirmation_token, found, sent.payment_method)
  const { method: typed, setup_future_usage, shipping } = used || {}
  const terms = { ...(setup_future_usage && { setup_future_usage }), ...(shipping && { shipping }) }
  const intent = change(context, 'payment_intents', found, terms)
  const chosen = typed ?? sent.payment_method ?? intent.payment_method
  if (chosen === null) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method."
    throw invalidRequest(message, 'payment_intent_unexpected_state')
  }
  const method = confirmedMethod(context, intent, chosen)
  const attempt = attemptPayment(context, intent, method.id, { offSession: sent.off_session ?? false })
  followAttempt(context, attempt)
  if (attempt.result === 'succeeded') attachOrDetach(context, attempt.intent, method.id)
  if (attempt.result === 'declined') throw declinedPayment(attempt)
  if (attempt.result === 'requires_action' && intent.confirmation_method === 'manual')
    throw notCovered(
      'value',
      'a 3-D Secure step of a PaymentIntent with confirmation_method=manual',
      'confirmation_method',
    )
  return requireRow(context, 'payment_intents', id)
}

/** Finishes a pending 3-D Secure step as the buyer would, and applies the outcome. 400 when no step is pending. */
export function authenticatePayment(context: Context, id: string, outcome: 'succeed' | 'fail'): PaymentIntent {
  const intent = requireRow(context, 'payment_intents', id)
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpectedState(intent, 'authenticate')
  const attempt =
    outcome === 'fail'
      ? failAuthentication(context, intent)
      : attemptPayment(context, intent, intent.payment_method, { offSession: false, authenticated: true })
  followAttempt(context, attempt)
  if (attempt.result === 'succeeded' && attempt.intent.payment_method !== null)
    attachOrDetach(context, attempt.intent, attempt.intent.payment_method)
  return requireRow(context, 'payment_intents', id)
}

/** 501 for canceling or changing the PaymentIntent of an invoice: Stripe documents only that the invoice is voided instead. */
function requireWithoutInvoice(context: Context, id: string, verb: string): PaymentIntent {
  const intent = requireRow(context, 'payment_intents', id)
  if (context.store.get('payment_terms', id) !== undefined)
    throw notCovered('operation', `${verb} the PaymentIntent of an invoice`)
  return intent
}

function cancel(context: Context, sent: ParsedBy<typeof cancelParams>, id: string): PaymentIntent {
  const intent = requireWithoutInvoice(context, id, 'canceling')
  if (!isUnconfirmed(intent) && !['processing', 'requires_capture'].includes(intent.status))
    throw unexpectedState(intent, 'cancel')
  // What was only authorized goes back to the card.
  const charge =
    intent.status === 'requires_capture' ? context.store.get('charges', intent.latest_charge ?? '') : undefined
  if (charge !== undefined) refundCharge(context, charge, undefined, { reason: null, metadata: {} })
  cancelIntent(context, id, sent.cancellation_reason ?? null)
  return requireRow(context, 'payment_intents', id)
}

function capture(context: Context, sent: ParsedBy<typeof captureParams>, id: string): PaymentIntent {
  const intent = requireRow(context, 'payment_intents', id)
  const { amount_to_capture: wanted = intent.amount, metadata } = sent
  if (wanted > intent.amount) {
    const message = `The provided capture amount exceeds the authorized amount of ${intent.amount}.`
    throw invalidRequest(message, 'amount_too_large', 'amount_to_capture')
  }
  if (wanted < intent.amount) throw notCovered('value', 'capturing a part of the amount', 'amount_to_capture')
  return captureIntent(context, intent, mergeMetadata(intent.metadata, metadata))
}

function update(context: Context, sent: ParsedBy<typeof updateParams>, id: string): PaymentIntent {
  const intent = requireWithoutInvoice(context, id, 'changing')
  const method = sent.payment_method && obtainMethod(context, sent.payment_method, 'payment_method').id
  if (!isUnconfirmed(intent) && (sent.amount !== undefined || method !== undefined))
    throw unexpectedState(intent, 'update')
  const { payment_method: _method, ...others } = sent
  const patch = {
    ...sentChanges(intent, others),
    ...(method !== undefined && {
      payment_method: method,
      status: 'requires_confirmation' as const,
      next_action: null,
    }),
  }
  return change(context, 'payment_intents', intent, patch)
}

/** Endpoints of https://docs.stripe.com/api/payment_intents that billing needs. */
export const paymentIntentRoutes = [
  ...resourceRoutes('payment_intents', {
    create: {
      params: createParams,
      run(context, sent) {
        const intent = createIntent(context, sent)
        const { off_session, confirmation_token } = sent
        return sent.confirm ? confirmIntent(context, { off_session, confirmation_token }, intent.id) : intent
      },
    },
    list: { params: listParams, same: ['customer'] },
    browsers: 'payment_intents',
  }),
  route('POST', '/v1/payment_intents/:id', updateParams, update),
  forBrowsers('payment_intents', route('POST', '/v1/payment_intents/:id/confirm', confirmParams, confirmIntent)),
  stripeJsRoute('payment_intents', '/v1/payment_intents/:id/authenticate', authenticateParams, (context, sent, id) =>
    authenticatePayment(context, id, sent.outcome),
  ),
  route('POST', '/v1/payment_intents/:id/cancel', cancelParams, cancel),
  route('POST', '/v1/payment_intents/:id/capture', captureParams, capture),
]
