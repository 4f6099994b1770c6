import * as z from 'zod/mini'

/** Called every minute by EventBridge; the event is not read. */
export const contract = {
  report: z.object({
    pending: z.int(),
    oldest_seconds: z.int(),
    swept: z.int(),
    resolved: z.int(),
  }),
} as const
