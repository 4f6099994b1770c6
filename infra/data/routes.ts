import { type CrossOrigin, crossOriginOf, type FunctionRow, type Method, manifest } from '../manifest.ts'

/**
 * The methods of a row's route. If it answers GET, it answers HEAD too (RFC 9110 §9.3.2), for which an HTTP API needs a separate route. POST is
 * added if the row says so.
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

/** The same, grouped by the pages that may read the answers. `npm run openapi` writes it to `lib/http/routes.json`. */
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
