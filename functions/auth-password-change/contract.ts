import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'
import { newPasswordSchema } from '../../lib/users/password/newPassword.ts'

/** POST /api/auth/password/change */
export const contract = {
  body: z.object({
    current_password: described('The password of now', z.string()),
    new_password: described('The new password, of at least 8 characters', newPasswordSchema),
  }),
  recentSignIn: true,
  responses: {
    204: z.undefined(),
    400: errorOf('wrong_password'),
  },
} as const satisfies Contract
