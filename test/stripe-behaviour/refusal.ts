import * as z from 'zod'

const refusalSchema = z.object({
  statusCode: z.number().optional(),
  type: z.string(),
  rawType: z.string().optional(),
  code: z.string().optional(),
  param: z.string().optional(),
  decline_code: z.string().optional(),
  message: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
})

/** What the SDK rejected with. */
export type Refusal = z.output<typeof refusalSchema>

/** What the SDK rejected with. Fails when it did not. */
export async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  )
  return refusalSchema.parse(error instanceof Error ? { ...error, message: error.message } : error)
}
