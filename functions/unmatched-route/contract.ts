import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'

/** The answer to a request that no route matches: 204 to a preflight, 405 if its path exists with another method. */
export const contract = {
  responses: {
    204: z.undefined(),
    404: errorOf('not_found'),
    405: errorOf('method_not_allowed'),
  },
} as const satisfies Contract
