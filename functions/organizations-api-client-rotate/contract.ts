import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, pydanticUuid } from '../../lib/http/schema.ts'
import { apiClientWithSecret, expiryOfPreviousSchema } from '../../lib/organizations/apiClients/apiClient.ts'

/** POST /api/organizations/{organization_id}/api-clients/{api_client_id}/rotate. */
export const contract = {
  path: z.object({
    organization_id: organizationId(),
    api_client_id: described('The `id` of an API client', pydanticUuid()),
  }),
  body: z.object({
    expire_previous: described(
      'When the previous secret expires. `now` ends every earlier secret at once',
      z._default(expiryOfPreviousSchema, '24h'),
    ),
  }),
  bodyIsOptional: true,
  recentSignIn: true,
  responses: { 200: apiClientWithSecret, 404: errorOf('api_client_not_found'), 409: errorOf('api_client_rotating') },
} as const satisfies Contract
