import * as z from 'zod/mini'
import { endpointMembers, endpointPath, endpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'

/** PATCH /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}: a member that is left out does not change. */
export const contract = {
  path: endpointPath,
  recentSignIn: true,
  body: z.object({
    url: z.optional(endpointMembers.url),
    event_types: z.optional(endpointMembers.event_types),
    description: z.optional(endpointMembers.description),
    enabled: described('Whether events are sent to it', z.optional(z.boolean())),
  }),
  responses: { 200: endpointResource, 404: errorOf('organization_not_found', 'webhook_endpoint_not_found') },
} as const satisfies Contract
