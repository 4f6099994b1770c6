import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString } from '../../lib/http/schema.ts'
import { userResource } from '../../lib/users/account/userResource.ts'

/** POST /api/users/me/email/confirm: the token of the mail to the new email address. */
export const contract = {
  body: z.object({ token: boundedString({ min: 1, max: 255 }) }),
  responses: {
    200: userResource,
    400: errorOf('link_invalid'),
    409: errorOf('email_already_exists'),
  },
} as const satisfies Contract
