import * as z from 'zod/mini'
import { documented, moment } from '../schema.ts'

function momentOf(description: string) {
  return documented({ type: 'string', format: 'date-time', description }, z.optional(moment))
}

/** The query of a list that can be narrowed to a range of time. */
export const timeRangeQuery = {
  from: momentOf('Only entries of this moment or later'),
  to: momentOf('Only entries before this moment'),
}
