import type Stripe from 'stripe'
import { change } from '../resources/events.ts'
import { cardError, obtainMethod } from '../resources/paymentMethods.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest, resourceMissing, StripeFault } from '../wire/errors.ts'
import { page, pageShape, within } from '../wire/pagination.ts'
import { flag, nested, type ParsedBy, paramsFor, range, text, word } from '../wire/params.ts'
import { route } from '../wire/route.ts'
import { applySettlement, collect, defaultMethod, subscriptionOf } from './collection.ts'
import { finalizeInvoice, type Invoice, voidInvoice } from './invoices.ts'
import { discardPendingUpdate } from './pendingUpdates.ts'

const listParams = paramsFor<Stripe.InvoiceListParams>()(
  {
    ...pageShape,
    collection_method: word(['charge_automatically', 'send_invoice']).optional(),
    created: range().optional(),
    customer: text().optional(),
    due_date: range().optional(),
    status: word(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    subscription: text().optional(),
  },
  ['customer_account'],
)
const payParams = paramsFor<Stripe.InvoicePayParams>()(
  { off_session: flag().optional(), payment_method: text().optional() },
  ['forgive', 'mandate', 'paid_out_of_band', 'source'],
)
const paymentsParams = paramsFor<Stripe.InvoicePaymentListParams>()({
  ...pageShape,
  created: range().optional(),
  invoice: text().optional(),
  payment: nested({ type: word(['payment_intent', 'charge']), payment_intent: text().optional() }).optional(),
  status: word(['open', 'paid', 'canceled']).optional(),
})
const finalizeParams = paramsFor<Stripe.InvoiceFinalizeInvoiceParams>()({ auto_advance: flag().optional() })
const linesParams = paramsFor<Stripe.InvoiceListLineItemsParams>()(pageShape)
const noParams = paramsFor<Stripe.InvoiceRetrieveParams>()({})

function requireInvoice(context: Context, id: string): Invoice {
  const invoice = context.store.get('invoices', id)
  if (invoice === undefined) throw resourceMissing('invoice', id, 'id')
  return invoice
}

/** Seconds between a finalization by hand and the first automatic attempt, where there is to be one. */
const firstAttemptSeconds = 3600

/** Finalizes a draft by hand. It is collected by itself only with `auto_advance`, as sent or as the draft has it. */
function finalize(context: Context, sent: ParsedBy<typeof finalizeParams>, id: string): Invoice {
  const draft = requireInvoice(context, id)
  if (draft.status !== 'draft') {
    const message = "This invoice is already finalized, you can't re-finalize a non-draft invoice."
    throw invalidRequest(message, 'invoice_not_editable')
  }
  const subscription = subscriptionOf(context, draft)
  const method = subscription ? defaultMethod(context, subscription) : null
  const save = subscription?.payment_settings?.save_default_payment_method === 'on_subscription'
  const auto_advance = sent.auto_advance ?? draft.auto_advance ?? false
  const open = finalizeInvoice(context, { ...draft, auto_advance }, { method, save })
  if (open.status === 'paid') applySettlement(context, id)
  if (open.status !== 'open' || !auto_advance) return requireInvoice(context, id)
  return change(context, 'invoices', open, { next_payment_attempt: context.now + firstAttemptSeconds })
}

function checkPayable(invoice: Invoice): void {
  // No code: neither the SDK's list of codes nor captures of this refusal name one.
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid')
  if (invoice.status !== 'open')
    throw invalidRequest(`This invoice can't be paid: its status is ${invoice.status}.`, 'invoice_not_editable')
}

function payingMethod(context: Context, invoice: Invoice, sent: string | undefined): string {
  if (sent !== undefined) {
    const method = obtainMethod(context, sent, 'payment_method')
    if (method.customer === invoice.customer) return method.id
    const message = `The customer does not have a payment method with the ID ${sent}. The payment method must be attached to the customer.`
    throw invalidRequest(message, 'resource_missing', 'payment_method')
  }
  const subscription = subscriptionOf(context, invoice)
  const own = subscription && defaultMethod(context, subscription)
  if (own == null) {
    throw invalidRequest(
      'There is no `default_payment_method` set on this Customer or Invoice. Please provide one.',
      'resource_missing',
    )
  }
  return own
}

/** Pays an open invoice now: 402 when declined (the attempt is kept), or when the buyer has to authenticate first. */
function payInvoice(context: Context, sent: ParsedBy<typeof payParams>, id: string): Invoice {
  const invoice = requireInvoice(context, id)
  checkPayable(invoice)
  const method = payingMethod(context, invoice, sent.payment_method)
  const attempt = collect(context, invoice, method, { offSession: sent.off_session ?? true, buyerCanReturn: true })
  if (attempt.result === 'succeeded') return requireInvoice(context, id)
  if (attempt.result === 'requires_action') {
    const message =
      'This payment requires additional user action before it can be completed successfully. Payment can be completed using the ' +
      'PaymentIntent associated with the invoice.'
    const error = { type: 'invalid_request_error' as const, code: 'invoice_payment_intent_requires_action', message }
    throw new StripeFault(402, error, { keepWrites: true })
  }
  const { code = 'card_declined', decline_code = 'generic_decline', message = '' } = attempt.error
  const more = { ...(attempt.charge !== null && { charge: attempt.charge }), payment_intent: attempt.intent }
  throw cardError({ code, decline_code, message }, more, true)
}

function listPayments(context: Context, sent: ParsedBy<typeof paymentsParams>): object {
  if (sent.invoice !== undefined && context.store.get('invoices', sent.invoice) === undefined) {
    throw resourceMissing('invoice', sent.invoice, 'invoice')
  }
  const rows = context.store.all('invoice_payments').filter((row) => {
    const intent = sent.payment?.payment_intent
    return (
      (sent.invoice ?? row.invoice) === row.invoice &&
      (sent.status ?? row.status) === row.status &&
      (sent.payment?.type ?? row.payment.type) === row.payment.type &&
      (intent ?? row.payment.payment_intent) === row.payment.payment_intent &&
      within(row.created, sent.created)
    )
  })
  return page(rows, sent, '/v1/invoice_payments')
}

/** Endpoints of https://docs.stripe.com/api/invoices and https://docs.stripe.com/api/invoice-payment. */
export const invoiceRoutes = [
  route('GET', '/v1/invoices', listParams, ({ store }, sent) => {
    const rows = store.all('invoices').filter((row) => {
      return (
        (sent.customer ?? row.customer) === row.customer &&
        (sent.collection_method ?? row.collection_method) === row.collection_method &&
        (sent.due_date === undefined || (row.due_date !== null && within(row.due_date, sent.due_date))) &&
        (sent.status ?? row.status) === row.status &&
        (sent.subscription === undefined || sent.subscription === row.parent?.subscription_details?.subscription) &&
        within(row.created, sent.created)
      )
    })
    return page(rows, sent, '/v1/invoices')
  }),
  route('GET', '/v1/invoices/:id', noParams, (context, _sent, id) => requireInvoice(context, id)),
  route('GET', '/v1/invoices/:id/lines', linesParams, (context, sent, id) => {
    const invoice = requireInvoice(context, id)
    return page(invoice.lines.data.toReversed(), sent, invoice.lines.url)
  }),
  route('POST', '/v1/invoices/:id/finalize', finalizeParams, finalize),
  route('POST', '/v1/invoices/:id/pay', payParams, payInvoice),
  route('POST', '/v1/invoices/:id/void', noParams, (context, _sent, id) => {
    const invoice = requireInvoice(context, id)
    if (invoice.status === 'open' || invoice.status === 'uncollectible') {
      const subscription = subscriptionOf(context, invoice)
      const voided = voidInvoice(context, invoice)
      // The update that waited for this payment is discarded.
      const held = subscription && context.store.get('pending_updates', subscription.id)
      if (subscription !== undefined && held?.invoice === id) discardPendingUpdate(context, subscription)
      return voided
    }
    throw invalidRequest(
      `You can only void open or uncollectible invoices; this one is ${invoice.status}.`,
      'invoice_not_editable',
    )
  }),
  route('GET', '/v1/invoice_payments', paymentsParams, listPayments),
  route('GET', '/v1/invoice_payments/:id', noParams, ({ store }, _sent, id) => {
    const payment = store.get('invoice_payments', id)
    if (payment === undefined) throw resourceMissing('invoice payment', id, 'id')
    return payment
  }),
]
