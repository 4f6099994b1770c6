import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

const report = z.object({ reminded: z.int(), erased: z.int() })

/** Called once a day by EventBridge, whose event is not read; `{"release_check": true}` reminds of nothing and erases nothing. */
export const contract = {
  event: z.object({ release_check: releaseCheck }),
  report: z.union([z.object({ organizations: report, accounts: report }), releaseCheckReport]),
} as const
