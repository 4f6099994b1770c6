import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

const pageSchema = z.string().describe('HTML')

/** POST /api/oauth/logout: the form of its page, sent to the page's own URL. */
export const contract = {
  body: z.object({ csrf: z.string().default('') }),
  responses: { 200: pageSchema, 303: z.undefined(), 400: pageSchema, 403: pageSchema, 429: pageSchema },
} as const satisfies Contract
