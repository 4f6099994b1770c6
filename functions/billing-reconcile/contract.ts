import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

const count = z.int()

const overdueSum = z.object({
  currency: z.string(),
  /** In the currency's smallest unit. */
  amount: count,
  invoices: count,
  /** When the first of these invoices was due. */
  since: z.string(),
})

/**
 * Called every 15 minutes by EventBridge, or by an operator. A run continues the pass under way; a new pass begins once a day, or
 * if `begin` is set. `{"dry_run": true}` only reports the remedies; `{"adopt_only": true}` begins the first pass after a
 * restore, which removes no surplus subscription; `{"release_check": true}` compares nothing.
 */
export const contract = {
  event: z.object({
    dry_run: z._default(z.boolean(), false),
    begin: z._default(z.boolean(), false),
    adopt_only: z._default(z.boolean(), false),
    release_check: releaseCheck,
  }),
  report: z.union([
    z.object({
      state: z.enum(['not due', 'complete', 'continues', 'interrupted']),
      /** How many rows the pass has compared so far, and its differences; null if no pass is due. */
      counts: z.nullable(
        z.object({
          events: count,
          subscriptions: count,
          slots: count,
          refunds: count,
          disputes: count,
          overdue: count,
          drift: count,
          left: count,
        }),
      ),
      /** The first 1,000 differences of this run. */
      drift: z.array(
        z.object({
          remedy: z.enum(['adopt', 'project', 'free', 'raise', 'cancel and refund', 'deliver', 'report']),
          organization_id: z.nullable(z.string()),
          product: z.nullable(z.string()),
          subscription_id: z.nullable(z.string()),
          here: z.string(),
          there: z.string(),
          why: z.string(),
          done: z.boolean(),
        }),
      ),
      /**
       * Open invoices past their due date, for each organization and currency; empty until the pass is complete. Organizations beyond the
       * first 1,000 sums are one sum, whose `organization_id` is null.
       */
      overdue: z.array(z.extend(overdueSum, { organization_id: z.nullable(z.string()) })),
      /** The same for all organizations together, for each currency. */
      overdue_totals: z.array(overdueSum),
    }),
    releaseCheckReport,
  ]),
} as const
