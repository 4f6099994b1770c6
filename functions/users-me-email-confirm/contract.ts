import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { boundedString, described, nullAsAbsent } from '../../lib/http/schema.ts'
import { userResource } from '../../lib/users/account/userResource.ts'

/**
 * POST /api/users/me/email/confirm: the token of the mail to the new email address, and the account's password. A caller whose access token is of the session that asked for
 * the change may leave out the password.
 */
export const contract = {
  body: z.object({
    token: described('The token of the mail', boundedString({ min: 1, max: 255 })),
    password: described(
      'The password; may be left out in the session that asked for the change',
      nullAsAbsent(z.string()),
    ),
  }),
  responses: {
    200: userResource,
    400: errorOf('link_invalid', 'wrong_password'),
    409: errorOf('email_already_exists'),
  },
} as const satisfies Contract
