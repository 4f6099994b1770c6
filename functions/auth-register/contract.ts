import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'
import { emailSchema } from '../../lib/users/emailKey.ts'
import { mailSentResource } from '../../lib/users/links/sendLink.ts'
import { newPasswordSchema } from '../../lib/users/password/newPassword.ts'
import { usernameSchema } from '../../lib/users/username.ts'

/** POST /api/auth/register. If the password is too common, 422 names the field `password`. */
export const contract = {
  body: z.object({
    email: described('The address to sign in with', emailSchema),
    username: described('The name that others see', usernameSchema),
    password: described('The password to sign in with, of at least 8 characters', newPasswordSchema),
  }),
  responses: {
    202: mailSentResource,
    409: errorOf('username_already_exists'),
  },
} as const satisfies Contract
