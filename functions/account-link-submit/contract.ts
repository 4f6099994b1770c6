import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { linkQuery } from '../../lib/users/linkQuery.ts'

const pageSchema = z.string().describe('HTML')
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
  responses: { 200: pageSchema, 400: pageSchema, 403: pageSchema, 409: pageSchema, 422: pageSchema, 429: pageSchema },
} as const satisfies Contract
