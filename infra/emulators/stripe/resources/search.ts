import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import type { Context } from '../state/context.ts'
import type { Kind } from '../state/state.ts'
import { route } from '../wire/route.ts'
import { isRecord } from '../wire/wire.ts'
import { type Clause, parseQuery } from './searchQuery.ts'

/** What can be searched, and the fields by which it can: https://docs.stripe.com/search. */
const searchable = {
  charges: words(
    'amount billing_details.address.postal_code created currency customer disputed',
    'payment_method_details.card.brand payment_method_details.card.exp_month',
    'payment_method_details.card.exp_year payment_method_details.card.last4 refunded status',
  ),
  customers: ['created', 'email', 'name', 'phone'],
  invoices: ['created', 'currency', 'customer', 'number', 'receipt_number', 'status', 'subscription', 'total'],
  payment_intents: ['amount', 'created', 'currency', 'customer', 'status'],
  prices: ['active', 'currency', 'lookup_key', 'product', 'type'],
  products: ['active', 'description', 'name', 'shippable', 'url'],
  subscriptions: ['canceled_at', 'created', 'status'],
} as const satisfies { [K in Kind]?: readonly string[] }

type SearchableKind = keyof typeof searchable
const kinds: SearchableKind[] = words('charges customers invoices payment_intents prices products subscriptions')

/** The path to the value of a field, if it differs from the field's name. */
const places = new Map([['invoices subscription', 'parent.subscription_details.subscription']])

function index(context: Pick<Context, 'store' | 'now' | 'settings'>, kind: SearchableKind, id: string): void {
  const name = `${kind}/${id}`
  const row = context.store.get(kind, id) ?? null
  const versions = [...(context.store.get('search', name)?.versions ?? []), { at: context.now, row }]
  const visible = versions.findLastIndex(({ at }) => at <= context.now - context.settings.searchLagSeconds)
  context.store.put('search', { id: name, versions: versions.slice(Math.max(0, visible)) })
}

/** Adds the new versions of rows that were written to the index and drops those that a search can no longer return. */
export function indexWritten(
  context: Pick<Context, 'store' | 'now' | 'settings'>,
  written: readonly { kind: Kind; id: string }[],
): void {
  for (const kind of kinds) {
    const ids = new Set(written.flatMap((row) => (row.kind === kind ? [row.id] : [])))
    for (const id of ids) index(context, kind, id)
  }
}

function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), row)
}

function matches(kind: SearchableKind, row: object, clause: Clause): boolean {
  const { field, key, operator, wanted } = clause
  const value = valueAt(row, places.get(`${kind} ${field}`) ?? field)
  const actual = key === undefined ? value : isRecord(value) ? value[key] : undefined
  const number = Number(wanted)
  const holds: Record<Clause['operator'], boolean> = {
    ':': wanted === null ? actual == null : String(actual ?? '').toLowerCase() === wanted.toLowerCase(),
    '~': wanted !== null && typeof actual === 'string' && actual.toLowerCase().includes(wanted.toLowerCase()),
    '>': typeof actual === 'number' && actual > number,
    '>=': typeof actual === 'number' && actual >= number,
    '<': typeof actual === 'number' && actual < number,
    '<=': typeof actual === 'number' && actual <= number,
  }
  return holds[operator] !== clause.negated
}

/** Search as Stripe's index answers it: behind the list by `searchLagSeconds`, newest first. Pages are numbered. */
function search(
  context: Context,
  kind: SearchableKind,
  sent: { query: string; limit?: number | undefined; page?: string | undefined },
): object {
  const { any, clauses } = parseQuery(sent.query, kind, searchable[kind])
  const cutoff = context.now - context.settings.searchLagSeconds
  const known = context.store
    .all('search')
    .flatMap(({ id, versions }) =>
      id.startsWith(`${kind}/`) ? (versions.findLast(({ at }) => at <= cutoff)?.row ?? []) : [],
    )
  const found = known.filter((row) =>
    any ? clauses.some((clause) => matches(kind, row, clause)) : clauses.every((clause) => matches(kind, row, clause)),
  )
  const size = sent.limit ?? 10
  const start = Number(sent.page ?? 0) * size
  const has_more = found.length > start + size
  return {
    object: 'search_result',
    data: found.toReversed().slice(start, start + size),
    has_more,
    next_page: has_more ? String(start / size + 1) : null,
    url: `/v1/${kind}/search`,
  }
}

const searchParams = p.paramsFor<Stripe.SubscriptionSearchParams>()({
  query: p.text(),
  limit: p.integer(1, 100).optional(),
  page: p.text().optional(),
})

/** Endpoints of https://docs.stripe.com/search. */
export const searchRoutes = kinds.map((kind) =>
  route('GET', `/v1/${kind}/search`, searchParams, (context, sent) => search(context, kind, sent)),
)
