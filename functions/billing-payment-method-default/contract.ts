import * as z from 'zod/mini'
import { cardResource } from '../../lib/billing/customer/cardResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId, patternString } from '../../lib/http/schema.ts'

/** POST /api/billing/payment-methods/{payment_method_id}/default. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ payment_method_id: patternString(/^[A-Za-z0-9_-]{1,255}$/) }),
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: cardResource,
    404: errorOf('payment_method_not_found'),
    409: errorOf('card_not_accepted'),
  },
} as const satisfies Contract
