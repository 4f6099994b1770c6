import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * GET /api/sso/callback: the answer of an OpenID provider (OpenID Connect Core §3.1.2.5), or, without parameters, the page that connects its
 * person with an account.
 */
export const contract = {
  query: z.object({ state: z.optional(z.string()), code: z.optional(z.string()), error: z.optional(z.string()) }),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 404: htmlPage, 503: htmlPage },
} as const satisfies Contract
