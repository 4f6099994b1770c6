import * as z from 'zod'

/** Called once a day by EventBridge; the event is not read. */
export const contract = {
  report: z.object({ reminded: z.int(), erased: z.int() }),
} as const
