import * as z from 'zod/mini'
import { activityTypes } from '../../core/activity.ts'
import { described, documented, named, nextCursor } from '../../http/schema.ts'
import type { ActivityPage, StoredActivityEntry } from './ports.ts'

/** An entry of a user's activity in the API. Its time has milliseconds, so that entries within a second keep their order. */
export const activityEntryResource = named(
  'ActivityEntry',
  z.strictObject({
    at: described('When it happened', z.iso.datetime()),
    type: documented(
      {
        description: `What happened: ${activityTypes.map((type) => `\`${type}\``).join(', ')}. Further types may be added.`,
      },
      z.string(),
    ),
    browser: described(
      'The browser and system, from the `User-Agent` of the request, such as `Firefox on Linux`',
      z.nullable(z.string()),
    ),
    place: described(
      'The country of the request, an ISO 3166-1 alpha-2 code; null if it is not known',
      z.nullable(z.string()),
    ),
    ip: described('The network of the request: an IPv4 address, or the /64 of an IPv6 address', z.nullable(z.string())),
  }),
)

export const activityResource = z.strictObject({
  entries: described('The entries, the newest first', z.array(activityEntryResource)),
  next_cursor: nextCursor,
})

/** Maps a page of the activity to the API's object; `toCursor` makes the cursor of the next page. */
export function toActivityResource(
  { entries, next }: ActivityPage,
  toCursor: (position: string | undefined) => string | null,
): z.infer<typeof activityResource> {
  return { entries: entries.map(toActivityEntryResource), next_cursor: toCursor(next) }
}

/** Maps an entry to the API's object. */
export function toActivityEntryResource({
  at,
  type,
  browser,
  country,
  sourceIp,
}: StoredActivityEntry): z.infer<typeof activityEntryResource> {
  return {
    at: new Date(at).toISOString(),
    type,
    browser: browser ?? null,
    place: country ?? null,
    ip: sourceIp ?? null,
  }
}
