import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { subscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/subscriptions/{product}/resume. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ product: described('The product to act on', productSchema) }),
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: subscriptionResource,
    404: errorOf('not_subscribed'),
    409: errorOf('subscription_ended', 'checkout_in_progress'),
  },
} as const satisfies Contract
