import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

/**
 * Called by the stream of the table `events` with new items of the outbox, and every minute by EventBridge, whose event is not read.
 * `{"release_check": true}` numbers nothing.
 */
export const contract = {
  event: z.object({
    release_check: releaseCheck,
    Records: z.optional(
      z.array(
        z.object({
          dynamodb: z.object({
            SequenceNumber: z.string(),
            Keys: z.object({ pk: z.object({ S: z.string() }) }),
          }),
        }),
      ),
    ),
  }),
  report: z.union([
    z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) }),
    z.object({ relayed: z.int(), failed: z.int() }),
    releaseCheckReport,
  ]),
} as const
