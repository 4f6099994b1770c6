import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString } from '../../lib/http/scalars.ts'
import { userResource } from '../../lib/users/userResource.ts'

/** POST /api/users/me/email/confirm: the token of the mail to the new email address. */
export const contract = {
  body: z.object({ token: boundedString({ min: 1, max: 255 }) }),
  responses: {
    200: userResource,
    400: z.object({ detail: z.literal('The link is invalid, expired or already used') }),
    409: z.object({ detail: z.literal('EMAIL_ALREADY_EXISTS') }),
  },
} as const satisfies Contract
