import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString } from '../../lib/http/schema.ts'
import { newPasswordSchema } from '../../lib/users/password/newPassword.ts'

/** POST /api/auth/password/reset: the token of a mail, and the new password. */
export const contract = {
  body: z.object({ token: boundedString({ min: 1, max: 255 }), password: newPasswordSchema }),
  responses: {
    200: z.null(),
    400: errorOf('link_invalid'),
  },
  answerHeaders: { 200: ['Set-Cookie'] },
} as const satisfies Contract
