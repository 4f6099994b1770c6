import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, wholeList } from '../../lib/http/schema.ts'
import { apiClientResource } from '../../lib/organizations/apiClients/apiClient.ts'

/** GET /api/organizations/{organization_id}/api-clients, oldest first. No pages: an organization has at most 20 API clients. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: {
    200: wholeList('ApiClientList', {
      api_clients: described('The API clients, the oldest first', z.array(apiClientResource)),
    }),
  },
} as const satisfies Contract
