import * as z from 'zod'

/** A call of a function to a neighbor, as sent. */
const recordedCall = z.object({
  /** The variable that names the neighbor's address. */
  neighbor: z.enum(['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_KMS', 'STRIPE_API_BASE']),
  method: z.string(),
  path: z.string(),
  /** The last part of the header X-Amz-Target; empty for Stripe. */
  operation: z.string(),
  /** The header Idempotency-Key; empty if there was none. */
  idempotencyKey: z.string(),
  body: z.string(),
})
export type RecordedCall = z.infer<typeof recordedCall>

/** The requests to the measured process, in sequence. */
export const request = z.discriminatedUnion('run', [
  /** Calls the function once with each event. */
  z.object({ run: z.literal('function'), inFlight: z.number(), events: z.array(z.unknown()) }),
  /** Makes a function's calls `times` times, and nothing else. */
  z.object({ run: z.literal('floor'), inFlight: z.number(), times: z.number(), calls: z.array(recordedCall) }),
])
export type Request = z.infer<typeof request>

/** The measured result of a request. */
export const outcome = z.union([
  z.object({ error: z.string() }),
  z.object({
    /** Processor time of the whole process, in milliseconds. */
    processorTime: z.number(),
    /** How long each call took, in milliseconds. */
    latencies: z.array(z.number()),
    /** The status of each answer; empty for a floor. */
    statuses: z.array(z.number()),
  }),
])
export type Outcome = Exclude<z.infer<typeof outcome>, { error: string }>
