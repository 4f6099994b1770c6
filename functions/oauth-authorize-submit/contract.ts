import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

const pageSchema = z.string().describe('HTML')
const csrf = z.string().default('')

/** POST /api/oauth/authorize: the forms of its pages, sent to the page's own URL. 303 sets a new cookie after a sign-in. */
export const contract = {
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('login'), csrf, email: z.string().default(''), password: z.string().default('') }),
    z.object({ action: z.enum(['allow', 'deny', 'switch']), csrf }),
  ]),
  responses: { 200: pageSchema, 303: z.undefined(), 400: pageSchema, 403: pageSchema, 429: pageSchema },
} as const satisfies Contract
