import fc from 'fast-check'
import * as z from 'zod'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Every code point but halves of pairs: fast-check takes nearly a second to make its own list of these. */
export const codePoint = fc
  .nat(0x10_ffff - SURROGATES.count)
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count))

/** What JSON can carry. */
export const json = fc.jsonValue({ maxDepth: 3 })

const record = z.record(z.string(), z.unknown())

/** A JSON value like `valid`, in which up to three members at any depth are left out or are something else. */
export function nearly(valid: unknown): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.constantFrom(...paths(valid)), fc.option(json, { nil: undefined })), {
    maxLength: 3,
  })
  return changes.map((made) => made.reduce((value, [path, change]) => replaced(value, path, change), valid))
}

function members(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item])
  return Object.entries(record.safeParse(value).data ?? {})
}

function paths(value: unknown): string[][] {
  return [[], ...members(value).flatMap(([name, member]) => paths(member).map((path) => [name, ...path]))]
}

/** Undefined leaves the member out, as JSON does. */
function replaced(value: unknown, [name, ...rest]: readonly string[], change: unknown): unknown {
  if (name === undefined) return change
  const next = members(value).map(
    ([key, member]) => [key, key === name ? replaced(member, rest, change) : member] as const,
  )
  if (Array.isArray(value)) return next.map(([, member]) => member)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(next.filter(([, member]) => member !== undefined))
    : value
}
