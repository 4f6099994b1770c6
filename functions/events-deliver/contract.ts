import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'

const text = z.object({ S: z.string() })

/**
 * Called by the stream of the table `events` with new deliveries, and every minute by EventBridge, whose event is not read.
 * `{"release_check": true}` sends nothing.
 */
export const contract = {
  event: z.object({
    release_check: releaseCheck,
    Records: z.optional(
      z.array(
        z.object({
          dynamodb: z.object({
            SequenceNumber: z.string(),
            NewImage: z.object({ pk: text, sk: text, owner: text }),
          }),
        }),
      ),
    ),
  }),
  report: z.union([
    z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) }),
    z.object({ delivered: z.int(), failed: z.int() }),
    releaseCheckReport,
  ]),
} as const
