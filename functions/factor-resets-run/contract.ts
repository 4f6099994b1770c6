import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

/** Called every minute by EventBridge, whose event is not read; `{"release_check": true}` mails and removes nothing. */
export const contract = {
  event: z.object({ release_check: releaseCheck }),
  report: z.union([z.object({ reminded: z.int(), removed: z.int() }), releaseCheckReport]),
} as const
