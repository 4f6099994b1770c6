import * as z from 'zod/mini'
import { endpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, wholeList } from '../../lib/http/schema.ts'

/** GET /api/organizations/{organization_id}/webhook-endpoints, oldest first. No pages: an organization has at most 10 endpoints. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: {
    200: wholeList('WebhookEndpointList', {
      webhook_endpoints: described('All of them, oldest first', z.array(endpointResource)),
    }),
  },
} as const satisfies Contract
