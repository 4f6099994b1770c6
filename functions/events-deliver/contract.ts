import * as z from 'zod/mini'
import { releaseCheck, releaseCheckReport } from '../../lib/http/endpoint/releaseCheck.ts'
import { batchReport, streamRecords, streamText } from '../../lib/http/endpoint/streamBatch.ts'

/**
 * Called by the stream of the table `events` with new deliveries, and every minute by EventBridge, whose event is not read.
 * `{"release_check": true}` sends nothing.
 */
export const contract = {
  event: z.object({
    release_check: releaseCheck,
    Records: streamRecords({ NewImage: z.object({ pk: streamText, sk: streamText, owner: streamText }) }),
  }),
  report: z.union([batchReport, z.object({ delivered: z.int(), failed: z.int() }), releaseCheckReport]),
} as const
