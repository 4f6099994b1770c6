import { type CrossOrigin, crossOriginOf, type FunctionRow, type Method, manifest } from '../manifest.ts'

/**
 * The methods that a row's route answers: HEAD works where GET does (RFC 9110 §9.3.2), and an HTTP API has a route of its own for it; POST
 * too where the row says so.
 */
export function methodsOf({
  method,
  alsoPost = false,
}: {
  readonly method: Method
  readonly alsoPost?: boolean
}): readonly (Method | 'HEAD')[] {
  return [...(method === 'GET' ? (['GET', 'HEAD'] as const) : [method]), ...(alsoPost ? (['POST'] as const) : [])]
}

/** Every path of the HTTP API with its methods. */
export const routes: Readonly<Record<string, readonly string[]>> = methodsByPath(manifest)

const rowsOf = (crossOrigin: CrossOrigin) => manifest.filter((row) => crossOriginOf(row) === crossOrigin)

/** The same by the pages that may read the answers; the variable `ROUTES` is its JSON. */
export const routesByReaders: Readonly<Record<CrossOrigin, typeof routes>> = {
  any: methodsByPath(rowsOf('any')),
  registered: methodsByPath(rowsOf('registered')),
  none: methodsByPath(rowsOf('none')),
}

function methodsByPath(rows: readonly FunctionRow[]): Record<string, string[]> {
  const byPath: Record<string, string[]> = {}
  for (const { trigger } of rows) {
    if (trigger.kind !== 'http') continue
    byPath[trigger.path] = [...(byPath[trigger.path] ?? []), ...methodsOf(trigger)]
  }
  return byPath
}
