import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, userId } from '../../lib/http/schema.ts'
import { roleSchema } from '../../lib/organizations/ports.ts'

/** PATCH /api/organizations/{organization_id}/members/{user_id}. */
export const contract = {
  path: z.object({ organization_id: organizationId(), user_id: described('The member whose role changes', userId()) }),
  body: z.object({ role: described('The new role', z.optional(roleSchema)) }),
  // A demotion takes power away from an owner, whatever the new role is.
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    200: z.object({
      user_id: described('The member’s user id', z.uuid()),
      role: described('The role of now', roleSchema),
    }),
    404: errorOf('organization_not_found', 'member_not_found'),
    409: errorOf('last_owner', 'break_glass_owner', 'member_deleting'),
  },
} as const satisfies Contract
