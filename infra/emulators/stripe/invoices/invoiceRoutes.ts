import type Stripe from 'stripe'
import { listShape, within } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { requireRow } from '../resources/requireRow.ts'
import { resourceRoutes } from '../resources/resourceRoutes.ts'
import { invoiceActionRoutes } from './invoiceActions.ts'
import { invoiceLineRoutes } from './invoiceLineRoutes.ts'
import { createInvoice, createParams, deleteInvoice, updateInvoice, updateParams } from './manualInvoices.ts'

const listParams = p.paramsFor<Stripe.InvoiceListParams>()(
  {
    ...listShape,
    collection_method: p.word(['charge_automatically', 'send_invoice']).optional(),
    customer: p.text().optional(),
    due_date: p.range().optional(),
    status: p.word(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    subscription: p.text().optional(),
  },
  ['customer_account'],
)
const paymentsParams = p.paramsFor<Stripe.InvoicePaymentListParams>()({
  ...listShape,
  invoice: p.text().optional(),
  payment: p.nested({ type: p.word(['payment_intent', 'charge']), payment_intent: p.text().optional() }).optional(),
  status: p.word(['open', 'paid', 'canceled']).optional(),
})

/** Endpoints of https://docs.stripe.com/api/invoices and https://docs.stripe.com/api/invoice-payment. */
export const invoiceRoutes = [
  ...resourceRoutes('invoices', {
    create: { params: createParams, run: createInvoice },
    list: {
      params: listParams,
      same: ['customer', 'collection_method', 'status'],
      where: ({ due_date, parent }, sent) =>
        (sent.due_date === undefined || (due_date !== null && within(due_date, sent.due_date))) &&
        (sent.subscription === undefined || sent.subscription === parent?.subscription_details?.subscription),
    },
    update: { params: updateParams, run: updateInvoice },
    remove: deleteInvoice,
  }),
  ...invoiceLineRoutes,
  ...invoiceActionRoutes,
  ...resourceRoutes('invoice_payments', {
    list: {
      params: paymentsParams,
      same: ['invoice', 'status'],
      check: (context, { invoice }) => invoice && requireRow(context, 'invoices', invoice, 'invoice'),
      where: ({ payment }, sent) =>
        (sent.payment?.type ?? payment.type) === payment.type &&
        (sent.payment?.payment_intent ?? payment.payment_intent) === payment.payment_intent,
    },
  }),
]
