import * as z from 'zod/mini'
import { subscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, noNextCursor, organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/subscriptions: a subscription for each product that was ever bought. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: z.object({
      subscriptions: described('A subscription for each product that was ever bought', z.array(subscriptionResource)),
      next_cursor: noNextCursor,
    }),
  },
} as const satisfies Contract
