import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'
import { batchReport, streamRecords, streamText } from '../../lib/http/endpoint/streamBatch.ts'

/**
 * Called by the stream of the table `events` with new items of the outbox, and every minute by EventBridge, whose event is not read.
 * `{"release_check": true}` numbers nothing.
 */
export const contract = {
  event: z.object({
    release_check: releaseCheck,
    Records: streamRecords({ Keys: z.object({ pk: streamText }) }),
  }),
  report: z.union([batchReport, z.object({ relayed: z.int(), failed: z.int() }), releaseCheckReport]),
} as const
