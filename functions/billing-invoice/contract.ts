import * as z from 'zod/mini'
import { invoiceResource } from '../../lib/billing/customer/invoiceResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, patternString } from '../../lib/http/schema.ts'

/** GET /api/billing/invoices/{invoice_id}. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  path: z.object({ invoice_id: described('The `id` of an invoice', patternString(/^[A-Za-z0-9_-]{1,255}$/)) }),
  query: z.object({ organization_id: organizationId() }),
  responses: { 200: invoiceResource, 404: errorOf('organization_not_found', 'invoice_not_found') },
} as const satisfies Contract
