import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString, described } from '../../lib/http/schema.ts'
import { userResource } from '../../lib/users/account/userResource.ts'

/** POST /api/auth/verify: the token of a mail, and the password of the account. */
export const contract = {
  body: z.object({
    token: described('The token of the mail', boundedString({ min: 1, max: 255 })),
    password: described('The password of the account', z.string()),
  }),
  responses: {
    200: userResource,
    400: errorOf('link_invalid', 'wrong_password'),
  },
} as const satisfies Contract
