import * as z from 'zod/mini'
import { paymentMethodId } from '../../lib/billing/customer/cardResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** DELETE /api/billing/payment-methods/{payment_method_id}. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ payment_method_id: paymentMethodId() }),
  query: z.object({ organization_id: organizationId() }),
  responses: {
    204: z.undefined(),
    404: errorOf('payment_method_not_found'),
    409: errorOf('payment_method_in_use', 'card_not_accepted'),
  },
} as const satisfies Contract
