import { type FunctionRow, manifest } from '../manifest.ts'

/** Every path of the HTTP API with its methods; the variable `ROUTES` is its JSON. */
export const routes: Readonly<Record<string, readonly string[]>> = methodsByPath(manifest)

function methodsByPath(rows: readonly FunctionRow[]): Record<string, string[]> {
  const byPath: Record<string, string[]> = {}
  for (const { trigger } of rows) {
    if (trigger.kind !== 'http') continue
    byPath[trigger.path] = [...(byPath[trigger.path] ?? []), trigger.method]
  }
  return byPath
}
