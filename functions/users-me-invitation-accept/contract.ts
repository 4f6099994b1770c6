import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, patternString } from '../../lib/http/schema.ts'
import { roleSchema } from '../../lib/organizations/ports.ts'

/** POST /api/users/me/invitations/{invitation_id}/accept */
export const contract = {
  path: z.object({
    invitation_id: described('The `id` of a received invitation', patternString(/^[A-Za-z0-9_-]{43}$/)),
  }),
  responses: {
    200: z.strictObject({
      organization_id: described('The organization that the user is a member of now', z.uuid()),
      role: described('The user’s role in it', roleSchema),
    }),
    403: errorOf('email_not_verified'),
    404: errorOf('invitation_not_found'),
    409: errorOf('already_member'),
  },
} as const satisfies Contract
