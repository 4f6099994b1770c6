import * as z from 'zod'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/paging.ts'
import { organizationId } from '../../lib/http/scalars.ts'

const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(['open', 'paid', 'uncollectible', 'void']),
    product: productSchema.nullable(),
    amount_due: z.int(),
    amount_paid: z.int(),
    currency: z.string(),
    created_at: z.iso.datetime(),
    due_at: z.iso.datetime().nullable(),
    paid_at: z.iso.datetime().nullable(),
    hosted_invoice_url: z.url().nullable(),
    invoice_pdf: z.url().nullable(),
  })
  .meta({ id: 'Invoice' })
export type InvoiceResource = z.output<typeof invoice>

/** GET /api/billing/invoices, newest first. */
export const contract = {
  scope: 'billing:read',
  query: z.object({ organization_id: organizationId(), ...pageQuery }),
  responses: { 200: z.object({ invoices: z.array(invoice), next_cursor: z.string().nullable() }) },
} as const satisfies Contract
