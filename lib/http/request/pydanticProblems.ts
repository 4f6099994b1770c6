import * as z from 'zod/mini'
import type { Problem } from '../errors.ts'

type Issue = z.core.$ZodIssue
type Path = Problem['loc']
type Kind = Pick<Problem, 'type' | 'msg'>

const missing: Kind = { type: 'missing', msg: 'Field required' }
const extraForbidden: Kind = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }

const kindByExpectedType: Readonly<Record<string, Kind>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
}

/** The `params` of a custom issue, in which the types of `schema.ts` name their problem. */
const ownKind = z.object({ type: z.string(), msg: z.string() })

const items = (count: number | bigint) => `${count} item${count === 1 ? '' : 's'}`
const characters = (count: number | bigint) => `${count} character${count === 1 ? '' : 's'}`
const lengthOf = (input: unknown) => (Array.isArray(input) ? input.length : 0)

/** `'a', 'b' or 'c'` */
function alternatives(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}

function kindOf(issue: Issue): Kind {
  if (issue.input === undefined) return missing
  const other: Kind = { type: 'value_error', msg: `Value error, ${issue.message}` }
  switch (issue.code) {
    case 'invalid_type':
      return kindByExpectedType[issue.expected] ?? other
    case 'too_small':
      if (issue.origin === 'array') {
        const found = lengthOf(issue.input)
        return {
          type: 'too_short',
          msg: `List should have at least ${items(issue.minimum)} after validation, not ${found}`,
        }
      }
      if (issue.origin !== 'string')
        return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${issue.minimum}` }
      return { type: 'string_too_short', msg: `String should have at least ${characters(issue.minimum)}` }
    case 'too_big':
      if (issue.origin === 'array') {
        const found = lengthOf(issue.input)
        return {
          type: 'too_long',
          msg: `List should have at most ${items(issue.maximum)} after validation, not ${found}`,
        }
      }
      if (issue.origin !== 'string')
        return { type: 'less_than_equal', msg: `Input should be less than or equal to ${issue.maximum}` }
      return { type: 'string_too_long', msg: `String should have at most ${characters(issue.maximum)}` }
    case 'invalid_format': {
      const pattern = issue.pattern?.slice(1, issue.pattern.lastIndexOf('/'))
      return { type: 'string_pattern_mismatch', msg: `String should match pattern '${pattern}'` }
    }
    case 'invalid_value': {
      // zod reports literals and enums alike; a single value means a literal here.
      const type = issue.values.length === 1 ? 'literal_error' : 'enum'
      return { type, msg: `Input should be ${alternatives(issue.values)}` }
    }
    case 'custom':
      return ownKind.safeParse(issue.params).data ?? other
    default:
      return other
  }
}

const isBelow = (path: readonly PropertyKey[], parent: readonly PropertyKey[]) =>
  path.length > parent.length && parent.every((step, index) => path[index] === step)

/** pydantic reports one problem per value. It reports no items of a list that is too long, and no short list if its items have problems. */
function reported(issues: readonly Issue[]): Issue[] {
  const tooLong = issues.filter((issue) => issue.code === 'too_big' && issue.origin === 'array')
  const inBounds = issues.filter((issue) => !tooLong.some((list) => isBelow(issue.path, list.path)))
  const seen = new Set<string>()
  return inBounds.filter((issue) => {
    const isShortList = issue.code === 'too_small' && issue.origin === 'array'
    if (isShortList && inBounds.some((item) => isBelow(item.path, issue.path))) return false
    const path = JSON.stringify(issue.path)
    return !seen.has(path) && seen.add(path)
  })
}

/**
 * What FastAPI with pydantic v2 answers if zod found `issues`; `extra_forbidden` comes last, once per key.
 * @param where the first step of each `loc`
 * @param issues of a parse with `reportInput: true`, without which everything would be `missing`
 */
export function pydanticProblems(where: 'path' | 'query' | 'header' | 'body', issues: readonly Issue[]): Problem[] {
  const locOf = (path: readonly PropertyKey[]): Path => [
    where,
    ...path.map((step) => (typeof step === 'number' ? step : String(step))),
  ]
  const extras = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => locOf([...issue.path, key])) : [],
  )
  return [
    ...reported(issues.filter((issue) => issue.code !== 'unrecognized_keys')).map((issue) => ({
      loc: locOf(issue.path),
      ...kindOf(issue),
    })),
    ...extras.map((loc) => ({ loc, ...extraForbidden })),
  ]
}
