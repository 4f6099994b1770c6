import * as z from 'zod/mini'
import { documented, named } from '../../lib/http/schema.ts'

const problem = named(
  'ValidationError',
  z.object({
    loc: documented(
      {
        description: 'Where: path, query, header or body first, then names of members and positions in lists.',
      },
      z.array(z.union([z.string(), z.int()])),
    ),
    msg: z.string(),
    type: z.string(),
  }),
)

/** The body of every 422, as FastAPI names and draws it. */
export const httpValidationError = named('HTTPValidationError', z.object({ detail: z.array(problem) }))
