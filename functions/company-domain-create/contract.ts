import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { domainName, domainResource } from '../../lib/organizations/domains/domainResource.ts'

/** POST /api/organizations/{organization_id}/domains. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  recentSignIn: true,
  body: z.object({ domain: domainName }),
  responses: { 201: domainResource, 409: errorOf('too_many_domains', 'organization_deleting') },
} as const satisfies Contract
