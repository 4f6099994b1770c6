import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { hostedSignInForms } from '../../lib/http/request/readForm.ts'
import { htmlPage } from '../../lib/http/schema.ts'

const csrf = z._default(z.string(), '')

/**
 * POST /api/device: the forms of its page, sent to the page's own URL: the code of a device, the answer to what it asks for, and the sign-in to the
 * page.
 */
export const contract = {
  body: z.discriminatedUnion('action', [
    ...hostedSignInForms,
    z.object({
      action: z.enum(['code', 'allow', 'deny']),
      csrf,
      user_code: z._default(z.string().check(z.maxLength(64)), ''),
    }),
  ]),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 429: htmlPage },
} as const satisfies Contract
