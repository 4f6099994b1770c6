import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * GET /api/oauth/authorize (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9207). 303 redirects to `redirect_uri` with `code` or `error`,
 * and with `state` and `iss`.
 */
export const contract = {
  query: z.object({
    client_id: z.string(),
    redirect_uri: z.string(),
    response_type: z.literal('code'),
    code_challenge: z.string(),
    code_challenge_method: z.literal('S256'),
    scope: z.optional(z.string()),
    state: z.optional(z.string()),
    prompt: z.optional(z.string()),
    max_age: z.optional(z.string()),
    acr_values: z.optional(z.string()),
    nonce: z.optional(z.string()),
    id_token_hint: z.optional(z.string()),
    login_hint: z.optional(z.string()),
    ui_locales: z.optional(z.string()),
  }),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage },
} as const satisfies Contract
