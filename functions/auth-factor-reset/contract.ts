import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

const text = z._default(z.string(), '')

/** POST /api/auth/factor-reset: the forms of a lost second factor. 303 leads to the sign-in page if this browser has no pending sign-in. */
export const contract = {
  body: z.object({ action: z.enum(['read', 'request', 'send_again', 'complete']), csrf: text, request: text }),
  responses: { 200: htmlPage, 303: z.undefined(), 403: htmlPage, 429: htmlPage },
} as const satisfies Contract
