import type { z } from 'zod'
import { invalidRequest, type StripeFault } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import { isRecord } from '../wire/wire.ts'
import type { RawParams } from './form.ts'

function nameOf(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

function valueAt(raw: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)]
    return isRecord(value) ? value[String(part)] : undefined
  }, raw)
}

/** The deepest issue: if the schema is a union, that of the branch that parsed most of the value. */
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

/** The issue of a parameter, or of a value, that Stripe takes and the emulator answers with 501. */
export function uncoveredIssue(uncovered: 'parameter' | 'value', path: PropertyKey[]) {
  return { code: 'custom' as const, path, message: 'not covered', params: { uncovered } }
}

/** The first uncovered parameter or value among the issues, those of unions included. */
function uncoveredIn(issues: z.core.$ZodIssue[], raw: RawParams, above: PropertyKey[] = []): StripeFault | undefined {
  for (const issue of issues) {
    const path = [...above, ...issue.path]
    const param = nameOf(path)
    const kind: unknown = issue.code === 'custom' ? issue.params?.uncovered : undefined
    if (kind === 'parameter') return notCovered(kind, `the parameter ${param}`, param)
    if (kind === 'value') return notCovered(kind, `${param}=${valueAt(raw, path)}`, param)
    if (issue.code !== 'invalid_union') continue
    const found = uncoveredIn(issue.errors.flat(), raw, path)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The refusal of parameters that did not parse: the 501 of what is not covered, otherwise the 400 of what is unknown, missing or
 * ill-formed, with Stripe's code and the parameter's name.
 */
export function refusal(issues: z.core.$ZodIssue[], raw: RawParams): StripeFault {
  const uncovered = uncoveredIn(issues, raw)
  if (uncovered !== undefined) return uncovered
  const { issue, path } = deepest(issues)
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : []
  const param = nameOf(key === undefined ? path : [...path, key])
  const answer = (message: string, code?: string) => {
    return invalidRequest(message.replaceAll('%', param), code, param)
  }
  if (key !== undefined) return answer('Received unknown parameter: %', 'parameter_unknown')
  if (valueAt(raw, path) === undefined) return answer('Missing required param: %.', 'parameter_missing')
  const code: unknown = issue.code === 'custom' ? issue.params?.stripe : undefined
  return answer(
    issue.code === 'custom' || issue.code === 'invalid_value' ? issue.message : 'Invalid %',
    typeof code === 'string' ? code : undefined,
  )
}
