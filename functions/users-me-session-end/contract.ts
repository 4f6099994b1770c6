import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, patternString } from '../../lib/http/schema.ts'

/** DELETE /api/users/me/sessions/{session_id} */
export const contract = {
  path: z.object({ session_id: described('The `id` of a session', patternString(/^[A-Za-z0-9_-]{1,64}$/)) }),
  responses: { 204: z.undefined(), 404: errorOf('session_not_found') },
} as const satisfies Contract
