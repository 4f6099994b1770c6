import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { repeatableRequest } from '../../lib/http/endpoint/answerOnce.ts'
import { boundedList, described, organizationId } from '../../lib/http/schema.ts'
import { apiClientWithSecret, resourceScopeSchema } from '../../lib/organizations/apiClients/apiClient.ts'
import { organizationName } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/{organization_id}/api-clients. A scope that is listed twice counts once. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  recentSignIn: true,
  headers: repeatableRequest,
  body: z.object({
    name: described('A name for its owners', organizationName),
    scopes: described('What it may do', boundedList(resourceScopeSchema, { min: 1, max: 10 })),
  }),
  responses: { 201: apiClientWithSecret, 409: errorOf('too_many_api_clients', 'request_in_progress') },
} as const satisfies Contract
