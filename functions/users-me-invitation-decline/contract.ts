import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, patternString } from '../../lib/http/schema.ts'

/** POST /api/users/me/invitations/{invitation_id}/decline */
export const contract = {
  path: z.object({
    invitation_id: described('The `id` of a received invitation', patternString(/^[A-Za-z0-9_-]{43}$/)),
  }),
  responses: { 204: z.undefined(), 403: errorOf('email_not_verified'), 404: errorOf('invitation_not_found') },
} as const satisfies Contract
