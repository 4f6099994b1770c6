import * as z from 'zod/mini'
import { secondsToRfc3339, toRfc3339 } from '../../core/clock.ts'
import { described, named } from '../../http/schema.ts'
import { productSchema } from '../catalog.ts'
import type { ListedInvoice } from './invoiceProduct.ts'

export const invoiceStatusSchema = z.enum(['open', 'paid', 'uncollectible', 'void'])

/** An invoice in the API. */
export const invoiceResource = named(
  'Invoice',
  z.object({
    id: described('The invoice’s id at the gateway', z.string()),
    number: described('The number on the invoice; null if the gateway has assigned none', z.nullable(z.string())),
    status: described('The state of the invoice', invoiceStatusSchema),
    product: described('What it is for; null if it is for something not sold here', z.nullable(productSchema)),
    amount_due: described('What has to be paid, in the currency’s smallest unit', z.int()),
    amount_paid: described('What has been paid, in the currency’s smallest unit', z.int()),
    currency: described('ISO 4217, in lower case', z.string()),
    created_at: described('When it was issued', z.iso.datetime()),
    due_at: described('When it has to be paid; null if a card pays it at once', z.nullable(z.iso.datetime())),
    paid_at: described('When it was paid; null before that', z.nullable(z.iso.datetime())),
    hosted_invoice_url: described(
      'The gateway’s page of the invoice, which opens without signing in; null if there is nothing to pay or show',
      z.nullable(z.url()),
    ),
    invoice_pdf: described(
      'The invoice as PDF, which opens without signing in; null before it is ready',
      z.nullable(z.url()),
    ),
  }),
)

/** Maps an invoice to the API's object, without other members of the gateway's. */
export function toInvoiceResource(invoice: ListedInvoice): z.infer<typeof invoiceResource> {
  const { id, number, status, product, currency } = invoice
  return {
    ...{ id, number, status, product, amount_due: invoice.amountDue, amount_paid: invoice.amountPaid, currency },
    created_at: toRfc3339(invoice.createdAt * 1000),
    due_at: secondsToRfc3339(invoice.dueAt),
    paid_at: secondsToRfc3339(invoice.paidAt),
    hosted_invoice_url: invoice.hostedInvoiceUrl,
    invoice_pdf: invoice.invoicePdf,
  }
}
