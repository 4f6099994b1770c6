import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * GET /api/oauth/logout (OpenID Connect RP-Initiated Logout 1.0 §2). 200 asks the user to confirm. If no user is
 * signed in, or a first-party client sends the id_token of this session, 303 redirects to `post_logout_redirect_uri` with `state`.
 */
export const contract = {
  query: z.object({
    id_token_hint: z.optional(z.string()),
    client_id: z.optional(z.string()),
    post_logout_redirect_uri: z.optional(z.string()),
    state: z.optional(z.string()),
  }),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 429: htmlPage },
} as const satisfies Contract
