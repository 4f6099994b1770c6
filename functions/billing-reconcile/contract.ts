import * as z from 'zod'

/** Called once a day by EventBridge, or by an operator: `{"dry_run": true}` only reports what would be done. */
export const contract = {
  event: z.object({ dry_run: z.boolean().default(false) }),
  report: z.object({
    undelivered_events: z.int(),
    subscriptions: z.int(),
    held_slots: z.int(),
    drift: z.array(
      z.object({
        remedy: z.enum(['adopt', 'project', 'free', 'cancel and refund', 'deliver', 'report']),
        organization_id: z.string().nullable(),
        product: z.string().nullable(),
        subscription_id: z.string().nullable(),
        here: z.string(),
        there: z.string(),
        why: z.string(),
        done: z.boolean(),
      }),
    ),
  }),
} as const
