import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

/** The answer to a request that no route matches: 405 where its path exists with another method. */
export const contract = {
  responses: {
    404: z.object({ detail: z.literal('Not Found') }),
    405: z.object({ detail: z.literal('Method Not Allowed') }),
  },
} as const satisfies Contract
