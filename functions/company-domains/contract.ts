import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, wholeList } from '../../lib/http/schema.ts'
import { domainResource } from '../../lib/organizations/domains/domainResource.ts'

/** GET /api/organizations/{organization_id}/domains, by name. No pages: an organization has at most 20 domains. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  responses: { 200: wholeList('DomainList', { domains: described('All of them, by name', z.array(domainResource)) }) },
} as const satisfies Contract
