import type { z } from 'zod'
import { exclusiveParams, invalidRequest } from '../wire/errors.ts'
import type { WireList } from '../wire/wire.ts'
import { integer, range, text } from './params.ts'

/** Parameters every list takes. */
export const pageShape = {
  limit: integer(1, 100).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
}

/** Parameters of lists of what has a time of creation. */
export const listShape = { ...pageShape, created: range().optional() }

interface PageParams {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** What a list holds, as refusals name it: `subscription` of `/v1/subscriptions`. */
function nounOf(url: string): string {
  const [last = 'objects'] = (url.split('?')[0] ?? '').split('/').slice(-1)
  return last === 'lines' ? 'line_item' : last.replace(/s$/, '')
}

/**
 * A page of `rows` (oldest first, as stored), newest first: https://docs.stripe.com/api/pagination. A cursor must name a row.
 * @param every the rows before the list's filters: a cursor may name a row that no longer matches them
 */
export function page<Row extends { id: string }>(
  rows: readonly Row[],
  params: PageParams,
  url: string,
  every: readonly Row[] = rows,
): WireList<Row> {
  const newest = rows.toReversed()
  const size = params.limit ?? 10
  const place = (id: string, param: string): { before: number; after: number } => {
    const index = newest.findIndex((row) => row.id === id)
    if (index >= 0) return { before: index, after: index + 1 }
    const from = every.findIndex((row) => row.id === id)
    if (from < 0) throw invalidRequest(`No such ${nounOf(url)}: '${id}'`, 'resource_missing', param)
    const newer = new Set(every.slice(from))
    const between = newest.filter((row) => newer.has(row)).length
    return { before: between, after: between }
  }
  if (params.starting_after !== undefined && params.ending_before !== undefined) {
    throw exclusiveParams('starting_after', 'ending_before')
  }
  if (params.ending_before !== undefined) {
    const end = place(params.ending_before, 'ending_before').before
    return { object: 'list', data: newest.slice(Math.max(0, end - size), end), has_more: end > size, url }
  }
  const start = params.starting_after === undefined ? 0 : place(params.starting_after, 'starting_after').after
  return { object: 'list', data: newest.slice(start, start + size), has_more: newest.length > start + size, url }
}

/** Whether a time satisfies a `created`-like filter. */
export function within(time: number, filter: z.output<ReturnType<typeof range>> | undefined): boolean {
  if (filter === undefined) return true
  if (typeof filter === 'number') return time === filter
  const { gt, gte, lt, lte } = filter
  return (
    (gt === undefined || time > gt) &&
    (gte === undefined || time >= gte) &&
    (lt === undefined || time < lt) &&
    (lte === undefined || time <= lte)
  )
}
