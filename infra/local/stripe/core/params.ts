import { z } from 'zod'
import { invalidRequest, notCovered, StripeFault } from './errors.ts'
import type { RawParams } from './form.ts'
import { isRecord } from './wire.ts'

/** Adds Stripe's own code and message to a failed parameter; `%` in the message stands for the parameter's name. */
function fail(context: z.RefinementCtx, code: string | undefined, message: string): never {
  context.addIssue({ code: 'custom', message, params: { stripe: code } })
  return z.NEVER
}

/** Text of 1 to `max` characters. */
export function text(max = 5000) {
  return z.string().transform((value, context) => {
    if (value === '') {
      const message =
        "You passed an empty string for '%'. We assume empty values are an attempt to unset a parameter; however '%' cannot be unset. " +
        "You should remove '%' from your request or supply a non-empty value."
      return fail(context, 'parameter_invalid_empty', message)
    }
    if ([...value].length > max) {
      return fail(context, 'parameter_invalid_string', `Invalid string: must be at most ${max} characters`)
    }
    return value
  })
}

/** A whole number. */
export function integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((value, context) => {
    if (!/^-?\d{1,15}$/.test(value)) return fail(context, 'parameter_invalid_integer', `Invalid integer: ${value}`)
    const number = Number(value)
    if (number < min)
      return fail(context, 'parameter_invalid_integer', `This value must be greater than or equal to ${min}.`)
    if (number > max)
      return fail(context, 'parameter_invalid_integer', `This value must be less than or equal to ${max}.`)
    return number
  })
}

/** A decimal number. */
export function decimal() {
  return z.string().transform((value, context) => {
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : fail(context, undefined, `Invalid decimal: ${value}`)
  })
}

/** `true` or `false`. */
export function flag() {
  return z.string().transform((value, context) => {
    if (value === 'true') return true
    if (value === 'false') return false
    return fail(context, undefined, `Invalid boolean: ${value}`)
  })
}

/** One of a few words. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `Invalid %: must be one of ${words.join(', ')}` })
}

/** `inner`, or empty text for "unset", which is read as null. */
export function unsettable<S extends z.ZodType>(inner: S) {
  return z.union([z.literal('').transform(() => null), inner])
}

/** Metadata as sent: an empty value removes its key, an empty text removes all. Limits: 50 keys of 40, values of 500 characters. */
export function metadata() {
  const record = z.record(z.string(), z.string()).superRefine((values, context) => {
    const keys = Object.keys(values)
    if (keys.length > 50) fail(context, undefined, 'You can only have up to 50 metadata keys.')
    for (const key of keys) {
      if (key.length > 40) fail(context, undefined, `Metadata keys can have up to 40 characters: ${key}`)
      if ((values[key] ?? '').length > 500)
        fail(context, undefined, `Metadata values can have up to 500 characters: ${key}`)
    }
  })
  return unsettable(record)
}

/** `old` with `sent` merged in as Stripe merges metadata. */
export function mergeMetadata(
  old: Record<string, string>,
  sent: Record<string, string> | null | undefined,
): Record<string, string> {
  if (sent === null) return {}
  return Object.fromEntries(Object.entries({ ...old, ...sent }).filter(([, value]) => value !== ''))
}

/** A timestamp, or bounds of one. */
export function range() {
  const bounds = z.strictObject({
    gt: integer().optional(),
    gte: integer().optional(),
    lt: integer().optional(),
    lte: integer().optional(),
  })
  return z.union([integer(), bounds])
}

/** Nested parameters, none of them unknown. */
export function nested<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape)
}

/** The checked parameters of an endpoint, `expand` apart. */
export interface ParamsOf<Parsed> {
  parse(raw: RawParams): { sent: Parsed; expand: string[] }
}

/** What a `ParamsOf` parses to. */
export type ParsedBy<Params> = Params extends ParamsOf<infer Parsed> ? Parsed : never

const expandParam = z.strictObject({ expand: z.array(z.string()).default([]) })

function checked<Schema extends z.ZodType>(schema: Schema, raw: RawParams): z.output<Schema> {
  const parsed = schema.safeParse(raw)
  if (!parsed.success) throw refusal(parsed.error.issues, raw)
  return parsed.data
}

/**
 * The parameters of one endpoint, named against the SDK's own params type `Sdk`. `uncovered` names those that Stripe takes and the
 * stand-in does not: they answer 501; `removed` those that this API version took away. Any other name answers 400 `parameter_unknown`.
 */
export function paramsFor<Sdk>() {
  return <Shape extends { [Key in keyof Shape]: Key extends keyof Sdk ? z.ZodType : never }>(
    shape: Shape,
    uncovered: readonly (keyof Sdk & string)[] = [],
    removed: Record<string, { code: string; message: string }> = {},
  ): ParamsOf<z.output<z.ZodObject<Shape, z.core.$strict>>> => {
    const schema = z.strictObject(shape)
    return {
      parse(raw) {
        const gone = Object.keys(removed).find((name) => Object.hasOwn(raw, name))
        if (gone !== undefined) {
          const { code = '', message = '' } = removed[gone] ?? {}
          throw new StripeFault(
            400,
            { type: 'invalid_request_error', code, message, param: gone },
            { validation: true },
          )
        }
        const foreign = uncovered.find((name) => Object.hasOwn(raw, name))
        if (foreign !== undefined) throw notCovered(`parameter ${foreign}`)
        const { expand, ...own } = raw
        const sent = checked(schema, own)
        return { sent, ...checked(expandParam, expand === undefined ? {} : { expand }) }
      },
    }
  }
}

function nameOf(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)]
    return isRecord(value) ? value[String(part)] : undefined
  }, raw)
}

/** The deepest issue: of a union's branches, the one that understood most of the value. */
function deepest(
  issues: z.core.$ZodIssue[],
  path: PropertyKey[] = [],
): { issue: z.core.$ZodIssue; path: PropertyKey[] } {
  const [first] = issues
  if (first === undefined) throw new Error('a failed parse names an issue')
  const here = [...path, ...first.path]
  if (first.code !== 'invalid_union') return { issue: first, path: here }
  const branches = first.errors.filter((branch) => branch.length > 0).map((branch) => deepest(branch, here))
  const rank = (code: string) => (code === 'custom' || code === 'unrecognized_keys' ? 1 : 0)
  branches.sort((a, b) => b.path.length - a.path.length || rank(b.issue.code) - rank(a.issue.code))
  return branches[0] ?? { issue: first, path: here }
}

function refusal(issues: z.core.$ZodIssue[], raw: RawParams): StripeFault {
  const { issue, path } = deepest(issues)
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : []
  const param = nameOf(key === undefined ? path : [...path, key])
  const answer = (message: string, code?: string) => {
    const { status, body } = invalidRequest(message.replaceAll('%', param), code, param)
    return new StripeFault(status, body, { validation: true })
  }
  if (key !== undefined) return answer('Received unknown parameter: %', 'parameter_unknown')
  if (valueAt(raw, path) === undefined) return answer('Missing required param: %.', 'parameter_missing')
  const code: unknown = issue.code === 'custom' ? issue.params?.stripe : undefined
  return answer(
    issue.code === 'custom' || issue.code === 'invalid_value' ? issue.message : 'Invalid %',
    typeof code === 'string' ? code : undefined,
  )
}
