import { deliveryResource } from '../../lib/events/endpoints/deliveryResource.ts'
import { endpointPath } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/test. */
export const contract = {
  path: endpointPath,
  responses: {
    202: deliveryResource,
    404: errorOf('organization_not_found', 'webhook_endpoint_not_found'),
    409: errorOf('webhook_endpoint_disabled'),
  },
} as const satisfies Contract
