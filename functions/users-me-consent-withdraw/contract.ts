import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, patternString } from '../../lib/http/schema.ts'

/** DELETE /api/users/me/consents/{client_id} */
export const contract = {
  path: z.object({
    client_id: described('The client whose consent is withdrawn', patternString(/^[A-Za-z0-9_-]{1,128}$/)),
  }),
  responses: { 204: z.undefined(), 404: errorOf('consent_not_found') },
} as const satisfies Contract
