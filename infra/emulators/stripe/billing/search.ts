import type Stripe from 'stripe'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import { isRecord, type Wire } from '../wire/wire.ts'

type Subscription = Wire<Stripe.Subscription>

/** Adds the new version of a subscription to the index and drops the versions that a search can no longer return. */
export function indexSubscription(context: Pick<Context, 'store' | 'now' | 'settings'>, id: string): void {
  const subscription = context.store.get('subscriptions', id)
  if (subscription === undefined) return
  const versions = [...(context.store.get('search', id)?.versions ?? []), { at: context.now, subscription }]
  const visible = versions.findLastIndex(({ at }) => at <= context.now - context.settings.searchLagSeconds)
  context.store.put('search', { id, versions: versions.slice(Math.max(0, visible)) })
}

const clausePattern = /^(-?)(\w+)(?:\[["']([^"']+)["']\])?\s*(:|>=|<=|>|<)\s*(?:"([^"]*)"|'([^']*)'|(\d+)|(null))$/

function matches(subscription: Subscription, clause: string): boolean {
  const parts = clausePattern.exec(clause.trim())
  if (parts === null) throw invalidRequest(`We were unable to parse your search query: ${clause}`, undefined, 'query')
  const [, minus, field = '', key, operator, double, single, digits] = parts
  const value: unknown = new Map<string, unknown>(Object.entries(subscription)).get(field)
  const actual = key === undefined ? value : isRecord(value) ? value[key] : undefined
  const wanted = double ?? single ?? digits
  const number = Number(wanted)
  const holds: Record<string, boolean> = {
    ':': wanted === undefined ? actual == null : String(actual) === wanted,
    '>': typeof actual === 'number' && actual > number,
    '>=': typeof actual === 'number' && actual >= number,
    '<': typeof actual === 'number' && actual < number,
    '<=': typeof actual === 'number' && actual <= number,
  }
  return (holds[operator ?? ':'] ?? false) !== (minus === '-')
}

/**
 * Search as Stripe's index answers it: behind the list by `searchLagSeconds`, clauses joined by AND or by OR
 * (https://docs.stripe.com/search). Pages are numbered.
 */
export function searchSubscriptions(
  context: Context,
  sent: { query: string; limit?: number | undefined; page?: string | undefined },
): object {
  const cutoff = context.now - context.settings.searchLagSeconds
  const any = / or /i.test(sent.query)
  const clauses = sent.query.split(any ? / or /i : / and /i)
  const known = context.store
    .all('search')
    .flatMap(({ versions }) => versions.findLast(({ at }) => at <= cutoff)?.subscription ?? [])
  const found = known.filter((row) => {
    return any ? clauses.some((clause) => matches(row, clause)) : clauses.every((clause) => matches(row, clause))
  })
  const size = sent.limit ?? 10
  const start = Number(sent.page ?? 0) * size
  const has_more = found.length > start + size
  return {
    object: 'search_result',
    data: found.toReversed().slice(start, start + size),
    has_more,
    next_page: has_more ? String(start / size + 1) : null,
    url: '/v1/subscriptions/search',
  }
}
