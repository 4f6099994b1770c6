import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { repeatableRequest } from '../../lib/http/endpoint/answerOnce.ts'
import { described, named, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/card-gateway/setup-intent. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  headers: repeatableRequest,
  responses: {
    200: named(
      'SetupIntent',
      z.object({ client_secret: described('For Stripe.js, which sets up the card', z.string()) }),
    ),
    409: errorOf('card_not_accepted', 'organization_deleting'),
  },
} as const satisfies Contract
