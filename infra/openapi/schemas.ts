import * as z from 'zod/mini'
import { documented, named } from '../../lib/http/schema.ts'

const problem = named(
  'ValidationError',
  z.object({
    loc: documented(
      {
        description: 'The location: path, query, header or body, then member names and list positions.',
      },
      z.array(z.union([z.string(), z.int()])),
    ),
    msg: z.string(),
    type: z.string(),
  }),
)

/** The body of every 422, as FastAPI names and draws it. */
export const httpValidationError = named('HTTPValidationError', z.object({ detail: z.array(problem) }))
