import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'
import { emailSchema } from '../../lib/users/emailKey.ts'
import { mailSentResource } from '../../lib/users/links/sendLink.ts'

/** POST /api/users/me/email/change */
export const contract = {
  body: z.object({
    email: described('The new address', emailSchema),
    current_password: described('The password of the account', z.string()),
  }),
  recentSignIn: true,
  refusesNewFactor: true,
  responses: {
    202: mailSentResource,
    400: errorOf('wrong_password'),
  },
} as const satisfies Contract
