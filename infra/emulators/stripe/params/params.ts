import * as z from 'zod'
import { invalidRequest, StripeFault } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { isRecord } from '../wire/wire.ts'
import type { RawParams } from './form.ts'
import { type ParamNames, paramNames, uncoveredNames } from './paramNames.ts'
import { refusal, uncoveredIssue } from './paramRefusal.ts'

/** Adds Stripe's own code and message to a failed parameter; `%` in the message is replaced by the parameter's name. */
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

/** One of the given words. */
export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `Invalid %: must be one of ${words.join(', ')}` })
}

/** `inner`, or empty text for "unset", which is read as null. */
export function unsettable<S extends z.ZodType>(inner: S) {
  return z.union([z.literal('').transform(() => null), inner])
}

/** Keys that the metadata of an object may have. */
const metadataKeys = 50

/** Metadata as sent: an empty value removes its key, an empty text removes all. Limits: 50 keys of 40, values of 500 characters. */
export function metadata() {
  const record = z.record(z.string(), z.string()).superRefine((values, context) => {
    const keys = Object.keys(values)
    if (keys.length > metadataKeys) fail(context, undefined, `You can only have up to ${metadataKeys} metadata keys.`)
    for (const key of keys) {
      if (/[[\]]/.test(key)) fail(context, undefined, `Metadata keys cannot contain square brackets: ${key}`)
      if (key.length > 40) fail(context, undefined, `Metadata keys can have up to 40 characters: ${key}`)
      if ((values[key] ?? '').length > 500)
        fail(context, undefined, `Metadata values can have up to 500 characters: ${key}`)
    }
  })
  return unsettable(record)
}

/** `old` with `sent` merged in as Stripe merges metadata. Throws a 400 if there are too many keys in all. */
export function mergeMetadata(
  old: Record<string, string>,
  sent: Record<string, string> | null | undefined,
): Record<string, string> {
  if (sent === null) return {}
  const merged = Object.entries({ ...old, ...sent }).filter(([, value]) => value !== '')
  if (merged.length > metadataKeys)
    throw invalidRequest(`You can only have up to ${metadataKeys} metadata keys.`, undefined, 'metadata')
  return Object.fromEntries(merged)
}

type Given<Sent> = { [Name in keyof Sent]?: Sent[Name] & (NonNullable<unknown> | null) }

/** The parameters that were sent. */
export function given<Sent extends object>(sent: Sent): Given<Sent> {
  const found: Given<Sent> = {}
  for (const name in sent) {
    const value = sent[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** What an update changes: the parameters that were sent, each a member of the object; `metadata` is merged. */
export function sentChanges<Sent extends { metadata?: Record<string, string> | null | undefined }>(
  row: { metadata: Record<string, string> | null },
  { metadata: sent, ...others }: Sent,
) {
  return { ...given(others), metadata: mergeMetadata(row.metadata ?? {}, sent) }
}

/** A timestamp, or bounds of a timestamp. */
export function range() {
  const bounds = z.strictObject({
    gt: integer().optional(),
    gte: integer().optional(),
    lt: integer().optional(),
    lte: integer().optional(),
  })
  return z.union([integer(), bounds])
}

/** Nested parameters; unknown names are refused. `uncovered` names the parameters that Stripe takes and the emulator answers with 501. */
export function nested<Shape extends z.ZodRawShape>(shape: Shape, uncovered: readonly string[] = []) {
  const schema = z.preprocess((value, context) => {
    const foreign = isRecord(value) ? uncovered.find((name) => Object.hasOwn(value, name)) : undefined
    if (foreign !== undefined) context.addIssue(uncoveredIssue('parameter', [foreign]))
    return value
  }, z.strictObject(shape))
  return schema.register(uncoveredNames, { names: uncovered })
}

/** A covered word. If the value is one of `others`, which Stripe takes and the emulator does not, it is 501. */
export function coveredWord<const Word extends string>(covered: Word, others: readonly string[]) {
  return z.string().transform((value, context): Word => {
    if (value === covered) return covered
    if (others.includes(value)) {
      context.addIssue(uncoveredIssue('value', []))
      return z.NEVER
    }
    return fail(context, undefined, `Invalid %: must be one of ${[covered, ...others].join(', ')}`)
  })
}

/** The checked parameters of an endpoint, `expand` apart. */
export interface ParamsOf<Parsed> {
  names(): ParamNames
  /** `version` is that of another release, if the request named one. */
  parse(raw: RawParams, version?: string): { sent: Parsed; expand: string[] }
}

/** What a `ParamsOf` parses to. */
export type ParsedBy<Params> = Params extends ParamsOf<infer Parsed> ? Parsed : never

const expandParam = z.strictObject({ expand: z.array(z.string()).default([]) })

/** Properties an `expand` path may name at most; `data` of a list counts. */
const expandDepth = 4

function checkDepth(expand: string[]): void {
  const deep = expand.find((path) => path.split('.').length > expandDepth)
  if (deep === undefined) return
  const message = `You cannot expand more than ${expandDepth} levels of a property. Property: ${deep}`
  const error = { type: 'invalid_request_error' as const, code: 'property_expansion_max_depth', message }
  throw new StripeFault(400, error)
}

function checked<Schema extends z.ZodType>(schema: Schema, raw: RawParams): z.output<Schema> {
  const parsed = schema.safeParse(raw)
  if (!parsed.success) throw refusal(parsed.error.issues, raw)
  return parsed.data
}

/** A parameter that a version removed: the refusal, and the parameter that took its place. */
interface RemovedParam {
  since: string
  now: string
  code: string
  message: string
}

/** The parameters with their present names. Throws a 400 for a name that is removed, unless the request names a version that has it. */
function renamed(raw: RawParams, removed: Record<string, RemovedParam>, version: string | undefined): RawParams {
  const [name, terms] = Object.entries(removed).find(([old]) => Object.hasOwn(raw, old)) ?? []
  if (name === undefined || terms === undefined) return raw
  const { [name]: value, ...others } = raw
  if (version !== undefined && version < terms.since) return { [terms.now]: value, ...others }
  const { code, message } = terms
  throw new StripeFault(400, { type: 'invalid_request_error', code, message, param: name })
}

/**
 * The parameters of an endpoint, named against the SDK's own params type `Sdk`. `uncovered` names the parameters that Stripe takes and the
 * emulator answers with 501; `removed` those that this API version removed. If any other name is sent, it is 400 `parameter_unknown`.
 */
export function paramsFor<Sdk>() {
  return <Shape extends { [Key in keyof Shape]: Key extends keyof Sdk ? z.ZodType : never }>(
    shape: Shape,
    uncovered: readonly (keyof Sdk & string)[] = [],
    removed: Record<string, RemovedParam> = {},
  ): ParamsOf<z.output<z.ZodObject<Shape, z.core.$strict>>> => {
    const schema = z.strictObject(shape)
    return {
      names: () => paramNames(shape, uncovered),
      parse(named, version) {
        const raw = renamed(named, removed, version)
        const foreign = uncovered.find((name) => Object.hasOwn(raw, name))
        if (foreign !== undefined) throw notCovered('parameter', `the parameter ${foreign}`, foreign)
        const { expand, ...own } = raw
        const sent = checked(schema, own)
        const wanted = checked(expandParam, expand === undefined ? {} : { expand })
        checkDepth(wanted.expand)
        return { sent, ...wanted }
      },
    }
  }
}

/** The parameters of an endpoint that takes none but `expand`. */
export const noParams = paramsFor<object>()({})
