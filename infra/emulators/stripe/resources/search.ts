import type Stripe from 'stripe'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import type { Context } from '../state/context.ts'
import type { Kind } from '../state/state.ts'
import { invalidRequest } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import { isRecord } from '../wire/wire.ts'

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

/** A condition of a query. If `wanted` is null, the field must have no value. */
interface Clause {
  negated: boolean
  field: string
  /** A key of `metadata`. */
  key: string | undefined
  operator: ':' | '~' | '>' | '>=' | '<' | '<='
  wanted: string | null
}

const clausePattern =
  /(?<minus>-?)(?<field>[\w.]+)(?:\[(?:"(?<key>[^"]+)"|'(?<quoted>[^']+)')\])?\s*(?<operator>:|~|>=|<=|>|<)\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<bare>-?\d+|true|false)|(?<none>null))/y
const joinPattern = /\s+(?:(AND|OR)\s+)?/iy

function readOperator(text: string | undefined): Clause['operator'] {
  if (text === '~' || text === '>' || text === '>=' || text === '<' || text === '<=') return text
  return ':'
}

/** The conditions of a query. All must hold or, if `any` is set, at least one. Throws a 400 if Stripe would not take the query. */
function parseQuery(query: string, resource: string, fields: readonly string[]): { any: boolean; clauses: Clause[] } {
  const unreadable = () => invalidRequest(`We were unable to parse your search query: ${query}`, undefined, 'query')
  const clauses: Clause[] = []
  const joins = new Set<string>()
  const text = query.trim()
  for (let at = 0; at < text.length; ) {
    clausePattern.lastIndex = at
    const groups = clausePattern.exec(text)?.groups
    if (groups === undefined) throw unreadable()
    const { minus, field = '', key, quoted, operator, double, single, bare } = groups
    const metadata = field === 'metadata'
    if (!metadata && !fields.includes(field)) {
      const message =
        `Field \`${field}\` is an unsupported search field for resource \`${resource}\`. ` +
        `See http://stripe.com/docs/search#query-fields-for-${resource.replaceAll('_', '-')} for a list of supported fields.`
      throw invalidRequest(message, undefined, 'query')
    }
    const member = key ?? quoted
    if (metadata !== (member !== undefined)) throw unreadable()
    clauses.push({
      negated: minus === '-',
      field,
      key: member,
      operator: readOperator(operator),
      wanted: (double ?? single)?.replaceAll(/\\(.)/g, '$1') ?? bare ?? null,
    })
    at = clausePattern.lastIndex
    if (at === text.length) break
    joinPattern.lastIndex = at
    const join = joinPattern.exec(text)
    if (join === null) throw unreadable()
    joins.add((join[1] ?? 'and').toLowerCase())
    at = joinPattern.lastIndex
    if (at === text.length) throw unreadable()
  }
  // Stripe combines AND and OR in no query.
  if (joins.size > 1 || clauses.length === 0) throw unreadable()
  return { any: joins.has('or'), clauses }
}
