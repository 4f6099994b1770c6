import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * POST /api/oauth/logout: the form of its page, sent to the page's own URL. A form without `csrf` is the request of a client: 303 leads to the same
 * request by GET.
 */
export const contract = {
  body: z.object({ csrf: z._default(z.string(), '') }),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 429: htmlPage },
} as const satisfies Contract
