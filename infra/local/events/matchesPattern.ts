import * as z from 'zod'

/** A pattern of Lambda's event filtering, as far as the manifest uses it: literal strings and prefixes. */
export type Pattern = { readonly [member: string]: Pattern } | readonly (string | { readonly prefix: string })[]

const members = z.record(z.string(), z.unknown())

/**
 * Whether a record matches. Each member of the pattern must match; of a list, one entry is enough.
 * Source: AWS, "Control which events Lambda sends to your function".
 */
export function matchesPattern(pattern: Pattern, value: unknown): boolean {
  if (isList(pattern)) {
    if (typeof value !== 'string') return false
    return pattern.some((entry) => (typeof entry === 'string' ? value === entry : value.startsWith(entry.prefix)))
  }
  const { data } = members.safeParse(value)
  return data !== undefined && Object.entries(pattern).every(([name, inner]) => matchesPattern(inner, data[name]))
}

function isList(pattern: Pattern): pattern is readonly (string | { readonly prefix: string })[] {
  return Array.isArray(pattern)
}
