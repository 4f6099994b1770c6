import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, documented, named } from '../../lib/http/schema.ts'

/** GET and POST /api/oauth/userinfo (OpenID Connect Core §5.3). A claim is left out if its scope was not granted. */
export const contract = {
  scope: 'openid',
  responses: {
    200: named(
      'UserInfo',
      z.strictObject({
        sub: described('The user’s id', z.uuid()),
        preferred_username: described('The name that others see; with the scope `profile`', z.optional(z.string())),
        email: described(
          'The user’s address; with the scope `email`',
          z.optional(documented({ format: 'email' }, z.string())),
        ),
        email_verified: described('Whether the user has confirmed it; with the scope `email`', z.optional(z.boolean())),
      }),
    ),
  },
} as const satisfies Contract
