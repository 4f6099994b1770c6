import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'
import { accountFormQuery, linkQuery } from '../../lib/users/links/linkQuery.ts'

/**
 * GET /api/auth/link: if the query has the `token` of a mail, the page behind that link; otherwise a form that requests such a mail.
 * `request`: the query of the authorization request to resume when the user is done. Changes nothing.
 */
export const contract = {
  query: z.object({
    purpose: z.enum([...linkQuery.shape.purpose.options, ...accountFormQuery.shape.purpose.options]),
    token: z.optional(linkQuery.shape.token),
    choose: linkQuery.shape.choose,
    request: accountFormQuery.shape.request,
  }),
  responses: { 200: htmlPage, 400: htmlPage },
} as const satisfies Contract
