import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { hostedSignInForms } from '../../lib/http/request/readForm.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/** POST /api/sso/callback: the forms of its page: the answer to whether a provider signs in to the account, and the sign-in to that. */
export const contract = {
  body: z.discriminatedUnion('action', [
    ...hostedSignInForms,
    z.object({ action: z.literal('connect'), csrf: z._default(z.string(), '') }),
  ]),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 409: htmlPage, 429: htmlPage },
} as const satisfies Contract
