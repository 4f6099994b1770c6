import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { declinedPayment } from '../payments/paymentIntents.ts'
import { obtainMethod } from '../payments/paymentMethods.ts'
import { change } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { discardPendingUpdate } from '../subscriptions/pendingUpdates.ts'
import { invalidRequest, StripeFault } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { route } from '../wire/route.ts'
import { applySettlement, collect, finalizeDraft, methodOf, recover, subscriptionOf } from './collection.ts'
import { isSent } from './collectionTerms.ts'
import { type Invoice, markUncollectible, settleOutOfBand, voidInvoice } from './invoices.ts'
import { sendInvoice } from './sentInvoices.ts'

const payParams = p.paramsFor<Stripe.InvoicePayParams>()(
  { off_session: p.flag().optional(), paid_out_of_band: p.flag().optional(), payment_method: p.text().optional() },
  ['forgive', 'mandate', 'source'],
)
const finalizeParams = p.paramsFor<Stripe.InvoiceFinalizeInvoiceParams>()({ auto_advance: p.flag().optional() })

/** Seconds until the first automatic attempt, after `auto_advance` has asked for attempts. */
export const firstAttemptSeconds = 3600

/** Finalizes a draft by hand. It is collected or sent by itself only with `auto_advance`, as sent or as the draft has it. */
function finalize(context: Context, sent: p.ParsedBy<typeof finalizeParams>, id: string): Invoice {
  const draft = requireRow(context, 'invoices', id)
  if (draft.status !== 'draft') {
    const message = "This invoice is already finalized, you can't re-finalize a non-draft invoice."
    throw invalidRequest(message, 'invoice_not_editable')
  }
  const auto_advance = sent.auto_advance ?? draft.auto_advance ?? false
  const open = finalizeDraft(context, { ...draft, auto_advance })
  if (open.status === 'paid') applySettlement(context, id)
  if (open.status !== 'open' || !auto_advance) return requireRow(context, 'invoices', id)
  if (isSent(open)) return sendInvoice(context, open)
  return change(context, 'invoices', open, { next_payment_attempt: context.now + firstAttemptSeconds })
}

function notOpen(): StripeFault {
  return invalidRequest("You can only pass in open invoices. This invoice isn't open.")
}

/**
 * An invoice that can be paid: open, or written off; a draft is finalized. The refusals have no code, because neither a list of codes nor a
 * capture names any.
 */
function payable(context: Context, id: string, outOfBand: boolean): Invoice {
  const found = requireRow(context, 'invoices', id)
  if (found.status === 'paid') throw invalidRequest('Invoice is already paid')
  if (found.status === 'draft' && !outOfBand) return finalizeDraft(context, found)
  if (found.status !== 'open' && found.status !== 'uncollectible') throw notOpen()
  return found
}

function payingMethod(context: Context, invoice: Invoice, sent: string | undefined): string {
  if (sent !== undefined) {
    const method = obtainMethod(context, sent, 'payment_method')
    if (method.customer === invoice.customer) return method.id
    const message = `The customer does not have a payment method with the ID ${sent}. The payment method must be attached to the customer.`
    throw invalidRequest(message, 'resource_missing', 'payment_method')
  }
  const own = methodOf(context, invoice)
  if (own === null) {
    throw invalidRequest(
      'There is no `default_payment_method` set on this Customer or Invoice. Please provide one.',
      'resource_missing',
    )
  }
  return own
}

/**
 * Pays an invoice now. Throws a 402 when declined (the attempt is kept), or when a buyer who is present has to authenticate first: without
 * the buyer, `off_session`, the card is declined. If `paid_out_of_band` is set, the invoice was paid elsewhere and nothing is charged; a draft
 * with nothing due is paid when it is finalized.
 */
function payInvoice(context: Context, sent: p.ParsedBy<typeof payParams>, id: string): Invoice {
  if (sent.paid_out_of_band && sent.payment_method !== undefined)
    throw notCovered('parameter', 'payment_method with paid_out_of_band=true', 'payment_method')
  const invoice = payable(context, id, sent.paid_out_of_band ?? false)
  if (sent.paid_out_of_band) settleOutOfBand(context, invoice)
  if (sent.paid_out_of_band || invoice.status === 'paid') {
    applySettlement(context, id)
    return requireRow(context, 'invoices', id)
  }
  const method = payingMethod(context, invoice, sent.payment_method)
  const attempt = collect(context, invoice, method, { offSession: sent.off_session ?? true, buyerCanReturn: false })
  if (attempt.result === 'succeeded') return requireRow(context, 'invoices', id)
  if (attempt.result === 'declined') throw declinedPayment(attempt)
  const message =
    'This payment requires additional user action before it can be completed successfully. Payment can be completed using the ' +
    'PaymentIntent associated with the invoice.'
  const error = { type: 'invalid_request_error' as const, code: 'invoice_payment_intent_requires_action', message }
  throw new StripeFault(402, error, { keepWrites: true })
}

/** Sends an open invoice again, or finalizes and sends a draft. If nothing is due, the invoice is paid at once and not sent. */
function send(context: Context, id: string): Invoice {
  const found = requireRow(context, 'invoices', id, 'invoice', 404)
  if (!isSent(found)) {
    throw invalidRequest("You can only manually send an invoice if its collection method is 'send_invoice'.")
  }
  if (found.status !== 'draft' && found.status !== 'open') {
    const contact = 'Please contact us via https://support.stripe.com/contact with details, so we can help.'
    throw invalidRequest(`This invoice cannot be sent right now. ${contact}`)
  }
  const invoice = found.status === 'draft' ? finalizeDraft(context, found) : found
  if (invoice.status === 'open') return sendInvoice(context, invoice)
  applySettlement(context, id)
  return requireRow(context, 'invoices', id)
}

function voidById(context: Context, id: string): Invoice {
  const invoice = requireRow(context, 'invoices', id)
  if (invoice.status === 'paid') throw invalidRequest('Invoices with `paid` payments cannot be voided.')
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw notOpen()
  const subscription = subscriptionOf(context, invoice)
  const voided = voidInvoice(context, invoice)
  // The update that waited for this payment is discarded.
  const held = subscription && context.store.get('pending_updates', subscription.id)
  if (subscription !== undefined && held?.invoice === id) discardPendingUpdate(context, subscription)
  if (isSent(voided)) recover(context, voided)
  return voided
}

function writeOff(context: Context, id: string): Invoice {
  const invoice = requireRow(context, 'invoices', id)
  if (invoice.status === 'uncollectible') throw invalidRequest('This invoice has already been marked uncollectible.')
  if (invoice.status !== 'open') throw notOpen()
  const marked = markUncollectible(context, invoice)
  recover(context, marked)
  return marked
}

/** The endpoints of https://docs.stripe.com/api/invoices that change the status of an invoice. */
export const invoiceActionRoutes = [
  route('POST', '/v1/invoices/:id/finalize', finalizeParams, finalize),
  route('POST', '/v1/invoices/:id/mark_uncollectible', p.noParams, (context, _sent, id) => writeOff(context, id)),
  route('POST', '/v1/invoices/:id/pay', payParams, payInvoice),
  route('POST', '/v1/invoices/:id/send', p.noParams, (context, _sent, id) => send(context, id)),
  route('POST', '/v1/invoices/:id/void', p.noParams, (context, _sent, id) => voidById(context, id)),
]
