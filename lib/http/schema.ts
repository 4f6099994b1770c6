import * as z from 'zod/mini'
import { organizationIdSchema, userIdSchema } from '../core/ids.ts'

// The other types of a contract are zod's own (`z.string().check(z.minLength(3), z.regex(…))`, `z.enum`, `z.array`): their issues convert exactly.

/**
 * Names a schema: it becomes the component `id` of the API document, to which every contract that uses it refers. A schema without a name is
 * written out wherever it is used.
 */
export function named<Schema extends z.ZodMiniType>(id: string, schema: Schema): Schema {
  return documented({ id }, schema)
}

/** Adds JSON Schema keywords to a schema, such as a `description` or the `type` of a transform. Only the API document shows them. */
export function documented<Schema extends z.ZodMiniType>(keywords: z.core.GlobalMeta, schema: Schema): Schema {
  z.globalRegistry.add(schema, keywords)
  return schema
}

/** Describes a member of a body or a parameter in one plain sentence, for the API document. A copy: `schema` may be used elsewhere too. */
export function described<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  return documented({ description }, schema.clone(schema.def, { parent: true }))
}

/** Refuses the value that a transform was given, as a problem of this type and in these words. */
export function refuseScalar({ issues, value }: z.core.ParsePayload, type: string, msg: string): never {
  issues.push({ code: 'custom', input: value, params: { type, msg } })
  return z.NEVER
}

const truthy: readonly unknown[] = ['1', 'true', 't', 'yes', 'y', 'on', true, 1]
const falsy: readonly unknown[] = ['0', 'false', 'f', 'no', 'n', 'off', false, 0]

/** A boolean as pydantic reads it without strict mode: also 1, 0 and a dozen words in any case, untrimmed. */
export function laxBoolean() {
  return documented(
    { type: 'boolean' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): boolean => {
        const value = typeof input === 'string' ? input.toLowerCase() : input
        if (truthy.includes(value)) return true
        if (falsy.includes(value)) return false
        return typeof value === 'string' || Number.isInteger(value)
          ? refuseScalar(context, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input')
          : refuseScalar(context, 'bool_type', 'Input should be a valid boolean')
      }),
    ),
  )
}

/** How many hexadecimal digits each hyphenated group has: RFC 9562 §4. */
const groupLengths = [8, 4, 4, 4, 12]

const hyphenated = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Why pydantic would not read `text` as a UUID (without its `urn:uuid:` or braces); `undefined` if it would.
 * Scans as pydantic does: bad characters, then hyphens, then the first group of a wrong length.
 */
function uuidProblem(text: string): string | undefined {
  const bad = /[^0-9a-f-]/iu.exec(text)
  // Not the character itself: an answer never echoes what was sent.
  if (bad) return `invalid character at ${Buffer.byteLength(text.slice(0, bad.index)) + 1}`
  const groups = text.split('-')
  if (groups.length === 1) {
    return text.length === 32 ? undefined : `invalid length: expected length 32 for simple format, found ${text.length}`
  }
  if (groups.length !== groupLengths.length) return `invalid group count: expected 5, found ${groups.length}`
  const wrong = groupLengths.findIndex((length, index) => groups[index]?.length !== length)
  if (wrong < 0) return undefined
  return `invalid group length in group ${wrong}: expected ${groupLengths[wrong]}, found ${groups[wrong]?.length}`
}

/** A UUID of any version in any of the four spellings pydantic reads, as lower-case hyphenated text. */
export function pydanticUuid() {
  return documented(
    { type: 'string', format: 'uuid' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): string => {
        if (typeof input !== 'string') {
          return refuseScalar(context, 'uuid_type', 'UUID input should be a string, bytes or UUID object')
        }
        // The spelling of this service, so nearly always.
        if (hyphenated.test(input)) return input
        const bare = input.replace(/^urn:uuid:(?=.{36}$)/, '').replace(/^\{(.{36})\}$/, '$1')
        const problem = uuidProblem(bare)
        if (problem) return refuseScalar(context, 'uuid_parsing', `Input should be a valid UUID, ${problem}`)
        const digits = bare.replaceAll('-', '').toLowerCase()
        return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      }),
    ),
  )
}

/** The id of an organization, branded. */
export function organizationId() {
  const meaning = { description: 'The organization to act on' }
  return documented({ type: 'string', format: 'uuid', ...meaning }, z.pipe(pydanticUuid(), organizationIdSchema))
}

/** The id of a user, branded. */
export function userId() {
  return documented({ type: 'string', format: 'uuid' }, z.pipe(pydanticUuid(), userIdSchema))
}

const withOffset = z.iso.datetime({ offset: true })
const withoutOffset = z.iso.datetime({ local: true })

/** A moment, RFC 3339 with an offset, as Unix milliseconds. Without an offset, several moments would fit. */
export const moment = z.pipe(
  z.string(),
  z.transform((text, context): number => {
    if (withOffset.safeParse(text).success) return Date.parse(text)
    return withoutOffset.safeParse(text).success
      ? refuseScalar(context, 'timezone_aware', 'Input should have timezone info')
      : refuseScalar(context, 'datetime_parsing', 'Input should be a valid datetime, as RFC 3339 writes it')
  }),
)

/** A string of `min` to `max` code points. */
export function boundedString({ min = 0, max }: { min?: number; max: number }) {
  const text = z.string()
  return (min > 0 ? text.check(z.minLength(min)) : text).check(z.maxLength(max))
}

/** A string that matches; anchor the pattern. For length and pattern both, zod's own checks: `z.minLength()`, `z.maxLength()`, then `z.regex()`. */
export function patternString(pattern: RegExp) {
  return z.string().check(z.regex(pattern))
}

/** A list of `min` to `max` items. */
export function boundedList<Item extends z.ZodMiniType>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  const list = z.array(item)
  return (min > 0 ? list.check(z.minLength(min)) : list).check(z.maxLength(max))
}

/** A member that may be left out or null; both give `undefined`, as pydantic's `X | None = None`. */
export function nullAsAbsent<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  )
}

/** The `cursor` of the next page of a list. */
export const nextCursor = described('The `cursor` of the next page; null if this is the last', z.nullable(z.string()))

/** The `next_cursor` of a list without pages. As in a list with pages, so clients read both in one way. */
export const noNextCursor = described('Always null: the list is whole', z.nullable(z.string()))

/** The answer of a list without pages: its only member is the list. */
export function wholeList<Members extends Record<string, z.ZodMiniType>>(name: string, members: Members) {
  return named(name, z.strictObject({ ...members, next_cursor: noNextCursor }))
}

/** The body of an answer that is a page. */
export const htmlPage = described('HTML', z.string())
