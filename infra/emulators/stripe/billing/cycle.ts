import { DateTime } from 'luxon'

/** How often a price recurs. */
export interface Recurrence {
  interval: string
  interval_count: number
}

function plus(anchor: number, recurrence: Recurrence, times: number): number {
  const count = recurrence.interval_count * times
  const start = DateTime.fromSeconds(anchor, { zone: 'utc' })
  const spans: Record<string, object> = { day: { days: count }, week: { weeks: count }, year: { years: count } }
  return start.plus(spans[recurrence.interval] ?? { months: count }).toUnixInteger()
}

/**
 * The first cycle boundary after `start`, in unix seconds. Counted from the anchor and not from the last period, so that a subscription of
 * the 31st returns to the 31st after February (https://docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function nextBoundary(anchor: number, recurrence: Recurrence, start: number): number {
  for (let times = 1; ; times += 1) {
    const boundary = plus(anchor, recurrence, times)
    if (boundary > start) return boundary
  }
}

/** `start` plus whole months in UTC: the end of a repeating coupon. */
export function addMonths(start: number, months: number): number {
  return DateTime.fromSeconds(start, { zone: 'utc' }).plus({ months }).toUnixInteger()
}
