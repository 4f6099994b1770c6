import * as z from 'zod/mini'
import { deliveryResource, deliveryStatusSchema } from '../../lib/events/endpoints/deliveryResource.ts'
import { endpointPath } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { described, named, nextCursor } from '../../lib/http/schema.ts'

/** GET /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/deliveries: those of 30 days, newest first. */
export const contract = {
  path: endpointPath,
  query: z.object({
    ...pageQuery,
    status: described('Only deliveries in this state', z.optional(deliveryStatusSchema)),
  }),
  responses: {
    200: named(
      'WebhookDeliveryList',
      z.strictObject({
        deliveries: described('Newest first', z.array(deliveryResource)),
        next_cursor: nextCursor,
      }),
    ),
    404: errorOf('organization_not_found', 'webhook_endpoint_not_found'),
  },
} as const satisfies Contract
