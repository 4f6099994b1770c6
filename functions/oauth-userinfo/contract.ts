import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

/** GET and POST /api/oauth/userinfo (OpenID Connect Core §5.3). Claims whose scope was not granted are left out. */
export const contract = {
  scope: 'openid',
  responses: {
    200: z
      .strictObject({
        sub: z.uuid(),
        preferred_username: z.string().optional(),
        email: z.string().meta({ format: 'email' }).optional(),
        email_verified: z.boolean().optional(),
      })
      .meta({ id: 'UserInfo' }),
  },
} as const satisfies Contract
