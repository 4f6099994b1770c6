import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { domainPath } from '../../lib/organizations/domains/domainResource.ts'

/** DELETE /api/organizations/{organization_id}/domains/{domain_id}. */
export const contract = {
  path: domainPath,
  recentSignIn: true,
  responses: { 204: z.undefined(), 404: errorOf('organization_not_found', 'domain_not_found') },
} as const satisfies Contract
