import { createHash } from 'node:crypto'
import { definitionsId, isRecord, type JsonSchema, refName, toJsonSchema } from './jsonSchema.ts'

/** What one operation answers: its name in the file (`GET /v1/customers/{customer}`) and the schemas of its answers. */
export interface Operation {
  name: string
  success: JsonSchema
  error: JsonSchema
}

/** The part of Stripe's OpenAPI file that describes the answers of some operations. */
export interface Spec {
  version: string
  sha256: string
  /** Names of the operations that the endpoints are. */
  operations: readonly string[]
  /** The operation of a request; undefined where Stripe has none. */
  operationOf(method: string, pathname: string): Operation | undefined
  /** Schemas by component name, all that the operations need. */
  definitions: Record<string, JsonSchema>
  /** The components that the operations answer with, and that expanded fields may therefore hold. */
  roots: ReadonlySet<string>
  /** Names of the definitions that a schema leads to. */
  reachable(from: readonly JsonSchema[]): Set<string>
}

/** An endpoint, as `{ method: 'GET', path: '/v1/customers/:id' }`. */
interface Endpoint {
  method: string
  path: string
}

/** Components that no operation answers with and that expanded fields hold. */
const onlyExpanded = ['discount', 'deleted_discount']

interface Candidate {
  method: string
  template: string
  pattern: RegExp
  success: unknown
  error: unknown
}

/**
 * Reads the text of Stripe's OpenAPI file (`openapi/spec3.json` of github.com/stripe/openapi) as far as `endpoints` need it.
 * Throws on a file that is none.
 */
export function readSpec(text: string, endpoints: readonly Endpoint[]): Spec {
  const file: unknown = JSON.parse(text)
  const { info, paths, components } = isRecord(file) ? file : {}
  const schemas = isRecord(components) ? components.schemas : undefined
  if (!isRecord(info) || !isRecord(paths) || !isRecord(schemas)) throw new Error('not an OpenAPI file')
  const candidates = candidatesOf(paths)
  const find = (method: string, pathname: string) =>
    candidates.find((candidate) => candidate.method === method && candidate.pattern.test(pathname))
  const used = endpoints.flatMap(({ method, path }) => find(method, path.replaceAll(/:\w+/g, 'x')) ?? [])
  const answered = new Set(used.flatMap(({ success, error }) => [...refsOf(success), ...refsOf(error)]))
  const roots = new Set([...answered, ...onlyExpanded.filter((name) => schemas[name] !== undefined)])
  const definitions = collect(schemas, roots)
  return {
    version: String(info.version),
    operations: used.map(nameOf),
    sha256: createHash('sha256').update(text).digest('hex'),
    operationOf(method, pathname) {
      const found = find(method, pathname)
      if (found === undefined) return undefined
      const { success, error } = found
      return { name: nameOf(found), success: toJsonSchema(success, roots), error: toJsonSchema(error, roots) }
    },
    definitions,
    roots,
    reachable: (from) => reach(from.flatMap(refsOf), (name) => refsOf(definitions[name] ?? {})),
  }
}

function nameOf({ method, template }: Candidate): string {
  return `${method} ${template}`
}

/** Every operation of the file, literal paths before those with an id. */
function candidatesOf(paths: Record<string, unknown>): Candidate[] {
  const all = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(isRecord(methods) ? methods : {}).map(([method, operation]) => {
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      const answers = { success: schemaOf(operation, '200'), error: schemaOf(operation, 'default') }
      return { method: method.toUpperCase(), template, pattern, ...answers }
    }),
  )
  const ids = ({ template }: Candidate) => template.split('{').length
  return all.sort((a, b) => ids(a) - ids(b))
}

function schemaOf(operation: unknown, status: string): unknown {
  const path = ['responses', status, 'content', 'application/json', 'schema']
  return path.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), operation)
}

/** Components named anywhere in a part of the file. */
function refsOf(node: unknown): string[] {
  const own = refName(node)
  if (own !== undefined) return [own]
  const parts = Array.isArray(node) ? node : isRecord(node) ? Object.values(node) : []
  return parts.flatMap(refsOf)
}

function collect(schemas: Record<string, unknown>, roots: ReadonlySet<string>): Record<string, JsonSchema> {
  const definitions: Record<string, JsonSchema> = {}
  reach([...roots], (name) => {
    const schema = toJsonSchema(schemas[name], roots)
    definitions[name] = schema
    return refsOf(schema)
  })
  return definitions
}

function reach(from: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...next(name))
  }
  return found
}

/** All definitions as one schema, for a validator. */
export function definitionsSchema({ definitions }: Pick<Spec, 'definitions'>): JsonSchema {
  return { $id: definitionsId, definitions }
}
