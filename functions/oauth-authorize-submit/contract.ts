import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { signInForms } from '../../lib/http/request/readForm.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * POST /api/oauth/authorize: the forms of its pages, sent to the page's own URL. After each step of a sign-in, 303 sets a new cookie.
 * If a form has `client_id` and no `action`, it is an authorization request: 303 leads to the same request by GET.
 */
export const contract = {
  body: z.discriminatedUnion('action', [
    ...signInForms,
    z.object({ action: z.enum(['continue', 'allow', 'deny', 'switch']), csrf: z._default(z.string(), '') }),
  ]),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 429: htmlPage },
} as const satisfies Contract
