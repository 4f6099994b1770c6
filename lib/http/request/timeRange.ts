import * as z from 'zod/mini'
import { documented, refuseScalar } from '../schema.ts'

const withOffset = z.iso.datetime({ offset: true })
const withoutOffset = z.iso.datetime({ local: true })

/** A moment in a query, RFC 3339 with an offset, as Unix milliseconds. Without an offset, several moments would fit. */
function moment(description: string) {
  return documented(
    { type: 'string', format: 'date-time', description },
    z.optional(
      z.pipe(
        z.string(),
        z.transform((text, context): number => {
          if (withOffset.safeParse(text).success) return Date.parse(text)
          return withoutOffset.safeParse(text).success
            ? refuseScalar(context, 'timezone_aware', 'Input should have timezone info')
            : refuseScalar(context, 'datetime_parsing', 'Input should be a valid datetime, as RFC 3339 writes it')
        }),
      ),
    ),
  )
}

/** The query of a list that can be narrowed to a range of time. */
export const timeRangeQuery = {
  from: moment('Only entries of this moment or later'),
  to: moment('Only entries before this moment'),
}
