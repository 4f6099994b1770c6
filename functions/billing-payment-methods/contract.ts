import * as z from 'zod/mini'
import { savedCardResource } from '../../lib/billing/customer/cardResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, noNextCursor, organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/payment-methods. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: z.object({
      payment_methods: described('The cards of the organization', z.array(savedCardResource)),
      next_cursor: noNextCursor,
    }),
  },
} as const satisfies Contract
