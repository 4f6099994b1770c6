import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

/** Called once a day by EventBridge, whose event is not read; `{"release_check": true}` looks nothing up and sends no mail. */
export const contract = {
  event: z.object({ release_check: releaseCheck }),
  report: z.union([
    z.object({ proven: z.int(), missing: z.int(), lost: z.int(), unanswered: z.int() }),
    releaseCheckReport,
  ]),
} as const
