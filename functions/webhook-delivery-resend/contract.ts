import * as z from 'zod/mini'
import { deliveryResource } from '../../lib/events/endpoints/deliveryResource.ts'
import { endpointPath } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, pydanticUuid } from '../../lib/http/schema.ts'

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend. */
export const contract = {
  path: z.extend(endpointPath, { delivery_id: described('The `id` of a delivery', pydanticUuid()) }),
  responses: {
    202: deliveryResource,
    404: errorOf('organization_not_found', 'webhook_endpoint_not_found', 'webhook_delivery_not_found'),
    409: errorOf('webhook_endpoint_disabled'),
  },
} as const satisfies Contract
