import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, pydanticUuid } from '../../lib/http/schema.ts'

/** DELETE /api/organizations/{organization_id}/api-clients/{api_client_id}. */
export const contract = {
  path: z.object({
    organization_id: organizationId(),
    api_client_id: described('The `id` of an API client', pydanticUuid()),
  }),
  recentSignIn: true,
  responses: { 204: z.undefined(), 404: errorOf('api_client_not_found') },
} as const satisfies Contract
