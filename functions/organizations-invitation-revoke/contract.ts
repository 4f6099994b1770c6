import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, organizationId, patternString } from '../../lib/http/schema.ts'

/** DELETE /api/organizations/{organization_id}/invitations/{invitation_id}. */
export const contract = {
  path: z.object({
    organization_id: organizationId(),
    invitation_id: described('The `id` of an invitation in the list of members', patternString(/^[A-Za-z0-9_-]{43}$/)),
  }),
  responses: { 204: z.undefined(), 404: errorOf('organization_not_found', 'invitation_not_found') },
} as const satisfies Contract
