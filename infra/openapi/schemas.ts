import * as z from 'zod/mini'

const problem = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).register(z.globalRegistry, {
      description: 'Where: path, query, header or body first, then names of members and positions in lists.',
    }),
    msg: z.string(),
    type: z.string(),
  })
  .register(z.globalRegistry, { id: 'ValidationError' })

/** The body of every 422, as FastAPI names and draws it. */
export const httpValidationError = z
  .object({ detail: z.array(problem) })
  .register(z.globalRegistry, { id: 'HTTPValidationError' })
