import { isRecord } from './jsonSchema.ts'

/** Every operation of an OpenAPI file as method and template, ids as `*`. */
export function operationsOf(spec: unknown): { method: string; template: string }[] {
  const paths = isRecord(spec) && isRecord(spec.paths) ? spec.paths : {}
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(isRecord(methods) ? methods : {}).map((method) => ({
      method: method.toUpperCase(),
      template: path.replaceAll(/\{\w+\}/g, '*'),
    })),
  )
}

/** The text of `wire/operations.json`: the methods of each path of the file, sorted. */
export function operationsText(spec: unknown): string {
  const byTemplate = Map.groupBy(operationsOf(spec), ({ template }) => template)
  const methodsOf = (template: string) => new Set(byTemplate.get(template)?.map(({ method }) => method))
  const sorted = [...byTemplate.keys()].sort().map((template) => [template, [...methodsOf(template)].sort().join(' ')])
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}
