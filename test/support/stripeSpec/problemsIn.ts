import type { ErrorObject } from 'ajv'

/** Something wrong in a body. `where` is a path with `*` for each index. */
export interface Problem {
  where: string
  what: string
}

/** What the errors of a verbose validator come to: of a union only what the alternative that was meant says, and one problem a place. */
export function problemsIn(errors: readonly ErrorObject[], prefix: string): Problem[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath)
  const outermost = unions.filter((path) => !unions.some((other) => other !== path && isWithin(path, other)))
  const told = errors.filter(({ keyword }) => keyword !== 'anyOf')
  const plain = told.filter((error) => !outermost.some((path) => isWithin(error.instancePath, path)))
  const meant = [...new Set(outermost)].flatMap((path) =>
    ofAlternative(
      told.filter((error) => isWithin(error.instancePath, path)),
      path,
    ),
  )
  const places = new Map<string, Set<string>>()
  for (const error of [...plain, ...meant]) {
    const { where, what } = problem(error, prefix)
    places.set(where, (places.get(where) ?? new Set()).add(what))
  }
  return [...places].map(([where, whats]) => ({ where, what: [...whats].join(', ') }))
}

/** The alternative meant is not another kind of object, fails furthest inside, is no mere other type, and has the least against it. */
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

function problem({ instancePath, keyword, params, message }: ErrorObject, prefix: string): Problem {
  const where = prefix + (instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*') || '/')
  if (keyword === 'additionalProperties') return { where, what: `must not have ${params.additionalProperty}` }
  if (keyword === 'enum') return { where, what: `must be one of ${JSON.stringify(params.allowedValues).slice(0, 200)}` }
  return { where, what: message ?? keyword }
}
