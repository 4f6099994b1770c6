import * as z from 'zod/mini'
import { endpointMembers, endpointWithSecret } from '../../lib/events/endpoints/endpointResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { repeatableRequest } from '../../lib/http/endpoint/answerOnce.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** POST /api/organizations/{organization_id}/webhook-endpoints. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  recentSignIn: true,
  headers: repeatableRequest,
  body: z.object({
    url: endpointMembers.url,
    event_types: z._default(endpointMembers.event_types, null),
    description: z._default(endpointMembers.description, ''),
  }),
  responses: { 201: endpointWithSecret, 409: errorOf('too_many_endpoints', 'request_in_progress') },
} as const satisfies Contract
