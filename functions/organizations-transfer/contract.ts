import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, userId } from '../../lib/http/schema.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations/{organization_id}/transfer. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  body: z.object({ user_id: described('The member who becomes the owner', userId()) }),
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    200: organizationResource,
    404: errorOf('organization_not_found', 'member_not_found'),
    409: errorOf('break_glass_owner', 'member_deleting'),
  },
} as const satisfies Contract
