import * as z from 'zod/mini'
import { paymentMethodId, savedCardResource } from '../../lib/billing/customer/cardResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/payment-methods/{payment_method_id}. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  path: z.object({ payment_method_id: paymentMethodId() }),
  query: z.object({ organization_id: organizationId() }),
  responses: { 200: savedCardResource, 404: errorOf('organization_not_found', 'payment_method_not_found') },
} as const satisfies Contract
