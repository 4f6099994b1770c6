import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { accountFormQuery, linkQuery } from '../../lib/users/linkQuery.ts'

const pageSchema = z.string().describe('HTML')

/**
 * GET /api/auth/link: the page that a link in a mail leads to, with the `token` of that link; or, without one, a form that ends in such a
 * mail. Opening either changes nothing.
 */
export const contract = {
  query: z.object({
    purpose: z.enum([...linkQuery.shape.purpose.options, ...accountFormQuery.shape.purpose.options]),
    token: linkQuery.shape.token.optional(),
  }),
  responses: { 200: pageSchema, 400: pageSchema },
} as const satisfies Contract
