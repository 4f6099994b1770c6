import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString, described } from '../../lib/http/schema.ts'
import { newPasswordSchema } from '../../lib/users/password/newPassword.ts'

/** More than a user can have. */
const MAX_AUTHENTICATORS = 20

/** POST /api/auth/password/reset: the token of a mail, the new password, and the authenticators to remove with the reset. */
export const contract = {
  body: z.object({
    token: described('The token of the mail', boundedString({ min: 1, max: 255 })),
    password: described('The new password', newPasswordSchema),
    remove_authenticators: described(
      'Ids of removable authenticators, as `/api/auth/password/reset/options` lists them.',
      z.optional(z.array(boundedString({ min: 1, max: 2000 })).check(z.maxLength(MAX_AUTHENTICATORS))),
    ),
  }),
  responses: {
    200: z.null(),
    400: errorOf('link_invalid'),
  },
  answerHeaders: { 200: ['Set-Cookie'] },
} as const satisfies Contract
