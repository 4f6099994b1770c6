import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, documented } from '../../lib/http/schema.ts'
import { domainPath, domainResource } from '../../lib/organizations/domains/domainResource.ts'

/** POST /api/organizations/{organization_id}/domains/{domain_id}/verify. */
export const contract = {
  path: domainPath,
  recentSignIn: true,
  responses: {
    200: domainResource,
    404: errorOf('organization_not_found', 'domain_not_found'),
    409: z.extend(errorOf('domain_not_proven', 'domain_taken', 'organization_deleting'), {
      reason: described(
        'Present if `code` is `domain_not_proven`. `no_record`: there is no TXT record of that name. `other_value`: its records have other values. `no_answer`: the name servers of the domain do not answer',
        z.optional(documented({ 'x-extensible-enum': ['no_record', 'other_value', 'no_answer'] }, z.string())),
      ),
    }),
  },
} as const satisfies Contract
