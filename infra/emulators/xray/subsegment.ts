import * as z from 'zod'

const text = z.string().max(250)
const id = z.string().regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')
const traceId = z.string().regex(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/, '1, 8 and 24 hexadecimal digits')
/** Seconds: a number of milliseconds is a date far away. */
const seconds = z.number().positive().max(10_000_000_000)
const name = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}\s_.:/%&#=+\\\-@]+$/u, 'letters, numbers, whitespace and _.:/%&#=+\\-@')

const http = z.strictObject({
  request: z
    .strictObject({
      method: text,
      url: text,
      user_agent: text,
      client_ip: text,
      traced: z.boolean(),
    })
    .partial()
    .optional(),
  response: z.strictObject({ status: z.int(), content_length: z.int() }).partial().optional(),
})

const exception = z.strictObject({
  id,
  message: text.optional(),
  type: text.optional(),
  remote: z.boolean().optional(),
  truncated: z.int().optional(),
  skipped: z.int().optional(),
  cause: id.optional(),
  stack: z.array(z.strictObject({ path: text, line: z.int(), label: text }).partial()).optional(),
})

const cause = z.union([
  id,
  z.strictObject({
    working_directory: text.optional(),
    paths: z.array(text).optional(),
    exceptions: z.array(exception).optional(),
  }),
])

/** `retries`, `table_names` and `resource_names` are in the documents of AWS's own SDKs, and not in the list of fields. */
const aws = z
  .strictObject({
    operation: text,
    account_id: text,
    region: text,
    request_id: text,
    queue_url: text,
    table_name: text,
    table_names: z.array(text),
    resource_names: z.array(text),
    retries: z.int().nonnegative(),
  })
  .partial()

const scalar = z.union([z.string(), z.number(), z.boolean()])

/**
 * A subsegment that is sent by itself, when it has ended, as AWS documents it; stricter than X-Ray is known to be: a member that is not in the
 * documentation is refused.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html#api-segmentdocuments-subsegments
 */
export const subsegmentSchema = z
  .strictObject({
    id,
    name,
    type: z.literal('subsegment'),
    trace_id: traceId,
    parent_id: id,
    start_time: seconds,
    end_time: seconds,
    namespace: z.enum(['aws', 'remote']).optional(),
    http: http.optional(),
    aws: aws.optional(),
    error: z.boolean().optional(),
    throttle: z.boolean().optional(),
    fault: z.boolean().optional(),
    cause: cause.optional(),
    annotations: z.record(z.string().regex(/^\w+$/), scalar).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    precursor_ids: z.array(id).optional(),
  })
  .refine(({ start_time, end_time }) => end_time >= start_time, 'ends before it starts')

export type Subsegment = z.output<typeof subsegmentSchema>
