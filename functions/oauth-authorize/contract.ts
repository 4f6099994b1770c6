import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/scalars.ts'

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
    scope: z.string().optional(),
    state: z.string().optional(),
    prompt: z.string().optional(),
    max_age: z.string().optional(),
    acr_values: z.string().optional(),
    nonce: z.string().optional(),
    id_token_hint: z.string().optional(),
    login_hint: z.string().optional(),
    ui_locales: z.string().optional(),
  }),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage },
} as const satisfies Contract
