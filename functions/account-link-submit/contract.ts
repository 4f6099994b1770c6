import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'
import { linkQuery } from '../../lib/users/links/linkQuery.ts'

const text = z._default(z.string(), '')
/** The `csrf` of the page, and the query of the authorization request that the form leads back to. */
const mailForm = { csrf: text, email: text, request: text }

/**
 * POST /api/auth/link: the form of the page. A reset sends the new password, a verification the account's
 * or, with `choose`, a new one, an invitation the password of an account or what makes one.
 * The forms that request a mail have no `token`, but the `csrf` of the page.
 */
export const contract = {
  body: z.discriminatedUnion('purpose', [
    z.extend(linkQuery, { username: text, password: text }),
    z.object({ purpose: z.enum(['forgot_password', 'resend_verification']), ...mailForm }),
    z.object({ purpose: z.literal('register'), ...mailForm, username: text, password: text }),
  ]),
  responses: { 200: htmlPage, 400: htmlPage, 403: htmlPage, 409: htmlPage, 422: htmlPage, 429: htmlPage },
} as const satisfies Contract
