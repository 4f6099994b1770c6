import type { Deprecation } from '../contract.ts'

const NOTICE_MILLISECONDS = 180 * 24 * 60 * 60 * 1000

/**
 * The headers of an operation that is going to be removed: `Deprecation` (RFC 9745 §2.1) and `Sunset` (RFC 8594 §3).
 * @throws Error if a moment is no time, or its end is less than 180 days after the notice
 */
export function deprecationHeaders({ since, sunset }: Deprecation): Readonly<Record<string, string>> {
  const [from, until] = [Date.parse(since), Date.parse(sunset)]
  const isAnnounced = until - from >= NOTICE_MILLISECONDS
  if (!isAnnounced) throw new Error(`${sunset} is not 180 days after ${since}`)
  return { deprecation: `@${Math.floor(from / 1000)}`, sunset: new Date(until).toUTCString() }
}
