import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, patternString } from '../../lib/http/schema.ts'
import { invitationResource } from '../../lib/organizations/members/memberResource.ts'

/** POST /api/organizations/{organization_id}/invitations/{invitation_id}/resend. The answer does not depend on whether the address has an account. */
export const contract = {
  path: z.object({
    organization_id: organizationId(),
    invitation_id: described('The `id` of an invitation in the list of members', patternString(/^[A-Za-z0-9_-]{43}$/)),
  }),
  // Only the stored invitation says whether it makes an owner.
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    202: invitationResource,
    403: errorOf('forbidden', 'email_not_verified'),
    404: errorOf('organization_not_found', 'invitation_not_found'),
    409: errorOf('organization_deleting'),
  },
} as const satisfies Contract
