import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'
import { linkQuery } from '../../lib/users/links/linkQuery.ts'

const text = z._default(z.string(), '')
/** The `csrf` of the page, and the query of the authorization request to resume when the user is done. */
const mailForm = { csrf: text, email: text, request: text }

/**
 * POST /api/auth/link: the forms of the link's page. A reset sends the new password, and a field `remove.<id>` for each authenticator to
 * remove. A verification sends the account's password or,
 * if `choose` is set, a new password. An invitation sends the account's password, or a username and password if it makes an account; in the
 * browser of the invited user it sends the `csrf` of the page alone. If a form requests a mail, it has the `csrf` of the page instead of a `token`.
 */
export const contract = {
  body: z.discriminatedUnion('purpose', [
    z.catchall(z.extend(linkQuery, { csrf: text, username: text, password: text }), z.string()),
    z.object({ purpose: z.enum(['forgot_password', 'resend_verification']), ...mailForm }),
    z.object({ purpose: z.literal('register'), ...mailForm, username: text, password: text }),
  ]),
  responses: { 200: htmlPage, 400: htmlPage, 403: htmlPage, 409: htmlPage, 422: htmlPage, 429: htmlPage },
} as const satisfies Contract
