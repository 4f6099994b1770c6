import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/scalars.ts'
import { linkQuery } from '../../lib/users/linkQuery.ts'

const text = z.string().default('')

/**
 * POST /api/auth/link: the form of the page. A reset sends the new password, an invitation the credentials of an account. The forms that
 * request a mail have no `token`, but the `csrf` of the page.
 */
export const contract = {
  body: z.discriminatedUnion('purpose', [
    linkQuery.extend({ email: text, password: text }),
    z.object({ purpose: z.literal('forgot_password'), csrf: text, email: text }),
    z.object({ purpose: z.literal('register'), csrf: text, email: text, username: text, password: text }),
  ]),
  responses: { 200: htmlPage, 400: htmlPage, 403: htmlPage, 409: htmlPage, 422: htmlPage, 429: htmlPage },
} as const satisfies Contract
