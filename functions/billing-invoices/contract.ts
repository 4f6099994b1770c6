import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { invoiceResource, invoiceStatusSchema } from '../../lib/billing/customer/invoiceResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { timeRangeQuery } from '../../lib/http/request/timeRange.ts'
import { described, nextCursor, organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/invoices, newest first. `from` and `to` are about `created_at`. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  query: z.object({
    organization_id: organizationId(),
    ...pageQuery,
    status: described('Only invoices in this state', z.optional(invoiceStatusSchema)),
    product: described('Only invoices of this product', z.optional(productSchema)),
    ...timeRangeQuery,
  }),
  responses: {
    200: z.object({
      invoices: described('The invoices, the newest first', z.array(invoiceResource)),
      next_cursor: nextCursor,
    }),
  },
} as const satisfies Contract
