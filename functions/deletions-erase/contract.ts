import * as z from 'zod/mini'

const report = z.object({ reminded: z.int(), erased: z.int() })

/** Called once a day by EventBridge; the event is not read. */
export const contract = {
  report: z.object({ organizations: report, accounts: report }),
} as const
