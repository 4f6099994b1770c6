import { invalidRequest } from '../wire/errors.ts'

/** A condition of a query. If `wanted` is null, the field must have no value. */
export interface Clause {
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
export function parseQuery(
  query: string,
  resource: string,
  fields: readonly string[],
): { any: boolean; clauses: Clause[] } {
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
