import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { named, organizationId } from '../../lib/http/schema.ts'

const invoice = named(
  'Invoice',
  z.object({
    id: z.string(),
    number: z.nullable(z.string()),
    status: z.enum(['open', 'paid', 'uncollectible', 'void']),
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
export type InvoiceResource = z.output<typeof invoice>

/** GET /api/billing/invoices, newest first. */
export const contract = {
  scope: 'billing:read',
  query: z.object({ organization_id: organizationId(), ...pageQuery }),
  responses: { 200: z.object({ invoices: z.array(invoice), next_cursor: z.nullable(z.string()) }) },
} as const satisfies Contract
