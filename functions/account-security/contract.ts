import * as z from 'zod/mini'
import { doneChanges } from '../../lib/authenticators/security/securityStep.ts'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { htmlPage } from '../../lib/http/schema.ts'

/**
 * GET /api/account/security: lists the authenticators and connected providers of the session's user or, if `view` is set, shows the page of a change. Shows the
 * sign-in page if this browser has no session, or if its sign-in is too old for the change. Changes nothing.
 */
export const contract = {
  query: z.union([
    z.object({ view: z.enum(['passkey', 'provider']), id: z.string().check(z.maxLength(2000)) }),
    z.object({ view: z.enum(['totp', 'codes']) }),
    z.object({ view: z.literal('reset'), organization_id: organizationIdSchema, user_id: userIdSchema }),
    z.object({ view: z.optional(z.undefined()), done: z.optional(z.enum(doneChanges)) }),
  ]),
  responses: { 200: htmlPage, 400: htmlPage, 422: htmlPage },
} as const satisfies Contract
