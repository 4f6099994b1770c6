import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

/** What a request gets that no route matches: 405 where another method would have matched. */
export const contract = {
  responses: {
    404: z.object({ detail: z.literal('Not Found') }),
    405: z.object({ detail: z.literal('Method Not Allowed') }),
  },
} as const satisfies Contract
