import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

/** GET and POST /api/oauth/userinfo (OpenID Connect Core §5.3). Claims whose scope was not granted are left out. */
export const contract = {
  scope: 'openid',
  responses: {
    200: z
      .strictObject({
        sub: z.uuid(),
        preferred_username: z.optional(z.string()),
        email: z.optional(z.string().register(z.globalRegistry, { format: 'email' })),
        email_verified: z.optional(z.boolean()),
      })
      .register(z.globalRegistry, { id: 'UserInfo' }),
  },
} as const satisfies Contract
