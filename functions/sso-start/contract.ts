import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/** GET /api/sso/start: leads a browser to an OpenID provider. `request` is the query of the page that the sign-in leads back to, `login_hint` (OpenID Connect Core §3.1.2.1) the address to fill in there. */
export const contract = {
  query: z.object({
    provider: z.string().check(z.maxLength(64)),
    page: z.enum(['authorize', 'device', 'security']),
    request: z._default(z.string().check(z.maxLength(2048)), ''),
    login_hint: z.optional(z.string().check(z.maxLength(254))),
  }),
  responses: { 303: z.undefined(), 400: htmlPage, 404: htmlPage, 503: htmlPage },
} as const satisfies Contract
