import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { documented, named } from '../../lib/http/schema.ts'

/** GET and POST /api/oauth/userinfo (OpenID Connect Core §5.3). A claim is left out if its scope was not granted. */
export const contract = {
  scope: 'openid',
  responses: {
    200: named(
      'UserInfo',
      z.strictObject({
        sub: z.uuid(),
        preferred_username: z.optional(z.string()),
        email: z.optional(documented({ format: 'email' }, z.string())),
        email_verified: z.optional(z.boolean()),
      }),
    ),
  },
} as const satisfies Contract
