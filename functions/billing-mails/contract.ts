import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

/** Called every minute by EventBridge, whose event is not read; `{"release_check": true}` sends nothing. */
export const contract = {
  event: z.object({ release_check: releaseCheck }),
  report: z.union([z.object({ sent: z.int(), dropped: z.int(), failed: z.int() }), releaseCheckReport]),
} as const
