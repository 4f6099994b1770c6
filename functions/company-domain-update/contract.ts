import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { domainMembership, domainPath, domainResource } from '../../lib/organizations/domains/domainResource.ts'

/** PATCH /api/organizations/{organization_id}/domains/{domain_id}: a member that is left out does not change. */
export const contract = {
  path: domainPath,
  recentSignIn: true,
  body: z.object({ membership: z.optional(domainMembership) }),
  responses: { 200: domainResource, 404: errorOf('organization_not_found', 'domain_not_found') },
} as const satisfies Contract
