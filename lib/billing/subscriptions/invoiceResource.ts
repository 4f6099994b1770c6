import * as z from 'zod/mini'
import { secondsToRfc3339, toRfc3339 } from '../../core/clock.ts'
import { named } from '../../http/schema.ts'
import { productSchema } from '../catalog.ts'
import type { ListedInvoice } from './invoiceProduct.ts'

export const invoiceStatusSchema = z.enum(['open', 'paid', 'uncollectible', 'void'])

/** An invoice in the API. */
export const invoiceResource = named(
  'Invoice',
  z.object({
    id: z.string(),
    number: z.nullable(z.string()),
    status: invoiceStatusSchema,
    product: z.nullable(productSchema),
    amount_due: z.int(),
    amount_paid: z.int(),
    currency: z.string(),
    created_at: z.iso.datetime(),
    due_at: z.nullable(z.iso.datetime()),
    paid_at: z.nullable(z.iso.datetime()),
    hosted_invoice_url: z.nullable(z.url()),
    invoice_pdf: z.nullable(z.url()),
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
