import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, noNextCursor, organizationId } from '../../lib/http/schema.ts'
import { domainResource } from '../../lib/organizations/domains/domainResource.ts'

/** GET /api/organizations/{organization_id}/domains, by name. No pages: an organization has at most 20 domains. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: {
    200: named(
      'DomainList',
      z.strictObject({
        domains: described('All of them, by name', z.array(domainResource)),
        next_cursor: noNextCursor,
      }),
    ),
  },
} as const satisfies Contract
