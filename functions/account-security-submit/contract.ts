import * as z from 'zod/mini'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { hostedSignInForms } from '../../lib/http/request/readForm.ts'
import { htmlPage } from '../../lib/http/schema.ts'

const csrf = z._default(z.string(), '')
const id = z.string().check(z.maxLength(2000))
const text = z._default(z.string(), '')

/**
 * POST /api/account/security: the forms of its pages and of the sign-in to them. `finish_passkey` sends the browser's new credential
 * as JSON. When a change is made, 303 leads to the list; after each step of a sign-in, 303 sets a new cookie.
 */
export const contract = {
  body: z.discriminatedUnion('action', [
    ...hostedSignInForms,
    z.object({
      action: z.enum(['begin_passkey', 'begin_totp', 'remove_totp', 'create_codes', 'cancel_reset', 'end_sessions']),
      csrf,
    }),
    z.object({ action: z.literal('finish_passkey'), csrf, name: text, response: text }),
    z.object({ action: z.literal('rename_passkey'), csrf, id, name: text }),
    z.object({ action: z.enum(['remove_passkey', 'disconnect_provider']), csrf, id }),
    z.object({ action: z.literal('confirm_totp'), csrf, code: text }),
    z.object({
      action: z.literal('approve_reset'),
      csrf,
      organization_id: organizationIdSchema,
      user_id: userIdSchema,
    }),
  ]),
  responses: { 200: htmlPage, 303: z.undefined(), 400: htmlPage, 403: htmlPage, 422: htmlPage, 429: htmlPage },
} as const satisfies Contract
