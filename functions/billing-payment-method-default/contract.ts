import * as z from 'zod/mini'
import { cardResource, paymentMethodId } from '../../lib/billing/customer/cardResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/payment-methods/{payment_method_id}/default. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ payment_method_id: paymentMethodId() }),
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: cardResource,
    404: errorOf('payment_method_not_found'),
    409: errorOf('card_not_accepted'),
  },
} as const satisfies Contract
