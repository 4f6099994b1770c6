import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described, htmlPage } from '../../lib/http/schema.ts'

/**
 * GET /api/device (RFC 8628 §3.3): asks a signed-in user for the code of a device, or shows the sign-in to that. Takes no code from the address: a
 * link with a code would spare a phisher's victim the typing. Changes nothing.
 */
export const contract = {
  query: z.object({
    ui_locales: z.optional(described('The languages of the page, preferred first', z.string().check(z.maxLength(100)))),
  }),
  responses: { 200: htmlPage, 400: htmlPage },
} as const satisfies Contract
