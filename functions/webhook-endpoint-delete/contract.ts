import * as z from 'zod/mini'
import { endpointPath } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'

/** DELETE /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}. */
export const contract = {
  path: endpointPath,
  recentSignIn: true,
  responses: { 204: z.undefined(), 404: errorOf('organization_not_found', 'webhook_endpoint_not_found') },
} as const satisfies Contract
