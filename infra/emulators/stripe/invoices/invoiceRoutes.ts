import type Stripe from 'stripe'
import { page, pageShape, within } from '../params/pagination.ts'
import { nested, type ParsedBy, paramsFor, range, text, word } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import { resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import { invoiceActionRoutes, requireInvoice } from './invoiceActions.ts'

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
const paymentsParams = paramsFor<Stripe.InvoicePaymentListParams>()({
  ...pageShape,
  created: range().optional(),
  invoice: text().optional(),
  payment: nested({ type: word(['payment_intent', 'charge']), payment_intent: text().optional() }).optional(),
  status: word(['open', 'paid', 'canceled']).optional(),
})
const linesParams = paramsFor<Stripe.InvoiceListLineItemsParams>()(pageShape)
const noParams = paramsFor<Stripe.InvoiceRetrieveParams>()({})

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
  ...invoiceActionRoutes,
  route('GET', '/v1/invoice_payments', paymentsParams, listPayments),
  route('GET', '/v1/invoice_payments/:id', noParams, ({ store }, _sent, id) => {
    const payment = store.get('invoice_payments', id)
    if (payment === undefined) throw resourceMissing('invoice payment', id, 'id')
    return payment
  }),
]
