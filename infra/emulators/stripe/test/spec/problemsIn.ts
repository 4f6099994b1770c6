import type { ErrorObject } from 'ajv'
import { isExplained } from './explained.ts'

/** Something wrong in a body. `where` is a path with `*` for each index. */
export interface Problem {
  where: string
  what: string
}

/**
 * The problems in the errors of a verbose validator that the table of differences does not explain: one a place, and of a union only those
 * of the alternative that was meant.
 */
export function problemsIn(errors: readonly ErrorObject[], prefix: string): Problem[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  const outermost = unions.filter((path) => !unions.some((other) => other !== path && isWithin(path, other)))
  const relevant = errors.filter(({ keyword }) => keyword !== 'anyOf')
  const plain = relevant.filter((error) => !outermost.some((path) => isWithin(error.instancePath, path)))
  const meant = [...new Set(outermost)].flatMap((path) =>
    ofAlternative(
      relevant.filter((error) => isWithin(error.instancePath, path)),
      path,
    ),
  )
  const places = new Map<string, Set<string>>()
  for (const error of [...plain, ...meant].filter((found) => !explained(found))) {
    const { where, what } = problem(error, prefix)
    places.set(where, (places.get(where) ?? new Set()).add(what))
  }
  return [...places].map(([where, whats]) => ({ where, what: [...whats].join(', ') }))
}

/** The errors of the alternative that was meant: the same kind of object, failing furthest inside, of the same type, with the fewest errors. */
function ofAlternative(errors: readonly ErrorObject[], union: string): ErrorObject[] {
  const ofKind = preferred(
    errors,
    ({ keyword, instancePath }) => keyword !== 'enum' || instancePath !== `${union}/object`,
  )
  const deepest = Math.max(...ofKind.map(depth))
  const inside = ofKind.filter((error) => depth(error) === deepest)
  const groups = new Map<unknown, ErrorObject[]>()
  for (const error of preferred(inside, ({ keyword }) => keyword !== 'type')) {
    groups.set(error.parentSchema, [...(groups.get(error.parentSchema) ?? []), error])
  }
  return [...groups.values()].sort((a, b) => a.length - b.length)[0] ?? []
}

/** Those that pass the test, or all where none does. */
function preferred(errors: readonly ErrorObject[], test: (error: ErrorObject) => boolean): readonly ErrorObject[] {
  const passing = errors.filter(test)
  return passing.length > 0 ? passing : errors
}

function depth({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length
}

function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`)
}

function explained({ keyword, instancePath, params, data }: ErrorObject): boolean {
  return keyword === 'additionalProperties' && isExplained(instancePath, data, String(params.additionalProperty))
}

function problem({ instancePath, keyword, params, message }: ErrorObject, prefix: string): Problem {
  const where = prefix + (instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*') || '/')
  if (keyword === 'additionalProperties') return { where, what: `must not have ${params.additionalProperty}` }
  if (keyword === 'enum') return { where, what: `must be one of ${JSON.stringify(params.allowedValues).slice(0, 200)}` }
  return { where, what: message ?? keyword }
}
