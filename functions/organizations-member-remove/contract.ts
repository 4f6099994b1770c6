import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, userId } from '../../lib/http/schema.ts'

/** DELETE /api/organizations/{organization_id}/members/{user_id}. */
export const contract = {
  path: z.object({ organization_id: organizationId(), user_id: described('The member to remove', userId()) }),
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    204: z.undefined(),
    404: errorOf('organization_not_found', 'member_not_found'),
    409: errorOf('last_owner', 'break_glass_owner'),
  },
} as const satisfies Contract
