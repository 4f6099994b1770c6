import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

/**
 * POST /api/sso/backchannel-logout/{organization_id}: OpenID Connect Back-Channel Logout 1.0 §2.5. For the providers of companies, so it is not in the
 * document of the API.
 */
export const contract = {
  body: z.object({ logout_token: z.string().check(z.minLength(1), z.maxLength(8192)) }),
  responses: { 200: z.string(), 400: z.string(), 503: z.string() },
} as const satisfies Contract
