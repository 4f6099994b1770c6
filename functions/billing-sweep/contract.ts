import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

/** Called every minute by EventBridge, whose event is not read; `{"release_check": true}` sweeps nothing. */
export const contract = {
  event: z.object({ release_check: releaseCheck }),
  report: z.union([
    z.object({
      pending: z.int(),
      oldest_seconds: z.int(),
      swept: z.int(),
      resolved: z.int(),
    }),
    releaseCheckReport,
  ]),
} as const
