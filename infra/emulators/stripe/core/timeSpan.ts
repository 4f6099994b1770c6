import { DateTime } from 'luxon'

/** How a span of time is written, such as `1 month` or `90 minutes`. */
export const spanPattern = /^(\d{1,5}) (second|minute|hour|day|week|month|year)s?$/

/** What is said of a text that is no span of time. */
export const spanHint = 'A span of time is a number and a unit, such as 1 month, 3 days or 90 minutes.'

/** The time, in unix seconds, that is a span after `start`. A month is one of the calendar in UTC. Throws RangeError on any other text. */
export function afterSpan(start: number, span: string): number {
  const [, count, unit] = spanPattern.exec(span) ?? []
  if (unit === undefined) throw new RangeError(`${span}: ${spanHint}`)
  return DateTime.fromSeconds(start, { zone: 'utc' })
    .plus({ [`${unit}s`]: Number(count) })
    .toUnixInteger()
}
