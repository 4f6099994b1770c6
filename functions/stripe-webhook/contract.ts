import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'

/** Stripe's webhook, at a Lambda URL of its own. The body is Stripe's event, verified over its raw bytes. */
export const contract = {
  responses: {
    200: z.object({ received: z.literal(true) }),
    500: errorOf('event_not_recorded'),
  },
} as const satisfies Contract
