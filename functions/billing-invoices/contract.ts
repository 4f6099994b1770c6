import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { timeRangeQuery } from '../../lib/http/request/timeRange.ts'
import { named, organizationId } from '../../lib/http/schema.ts'

const statusSchema = z.enum(['open', 'paid', 'uncollectible', 'void'])

const invoice = named(
  'Invoice',
  z.object({
    id: z.string(),
    number: z.nullable(z.string()),
    status: statusSchema,
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

/** GET /api/billing/invoices, newest first. `from` and `to` are about `created_at`. */
export const contract = {
  scope: 'billing:read',
  query: z.object({
    organization_id: organizationId(),
    ...pageQuery,
    status: z.optional(statusSchema),
    product: z.optional(productSchema),
    ...timeRangeQuery,
  }),
  responses: { 200: z.object({ invoices: z.array(invoice), next_cursor: z.nullable(z.string()) }) },
} as const satisfies Contract
