import * as z from 'zod/mini'
import { endpointPath, endpointSecret } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { named } from '../../lib/http/schema.ts'

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/rotate-secret. */
export const contract = {
  path: endpointPath,
  recentSignIn: true,
  responses: {
    200: named('WebhookSecret', z.strictObject({ secret: endpointSecret })),
    404: errorOf('organization_not_found', 'webhook_endpoint_not_found'),
  },
} as const satisfies Contract
