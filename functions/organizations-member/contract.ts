import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, userId } from '../../lib/http/schema.ts'
import { memberResource } from '../../lib/organizations/members/memberResource.ts'

/** GET /api/organizations/{organization_id}/members/{user_id}. If the caller is no owner, `email` and `has_second_factor` are `null`. */
export const contract = {
  scope: 'members:read',
  forServiceClients: true,
  path: z.object({ organization_id: organizationId(), user_id: described('The member to read', userId()) }),
  responses: { 200: memberResource, 404: errorOf('organization_not_found', 'member_not_found') },
} as const satisfies Contract
