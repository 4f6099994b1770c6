import * as z from 'zod/mini'
import { cardResource } from '../../lib/billing/customer/cardResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/payment-methods. */
export const contract = {
  scope: 'billing:read',
  query: z.object({ organization_id: organizationId() }),
  responses: { 200: z.object({ payment_methods: z.array(cardResource) }) },
} as const satisfies Contract
