/** A JSON Schema, or a part of one. */
export type JsonSchema = { [keyword: string]: unknown }

/** True for a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The `$id` under which the definitions are known. */
export const definitionsId = 'stripe'

const kept = ['type', 'enum', 'maxLength', 'pattern']

/** The component a `$ref` of the file names; undefined for anything that is no reference. */
export function refName(node: unknown): string | undefined {
  const ref = isRecord(node) ? node.$ref : undefined
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined
}

/**
 * A schema of OpenAPI 3.0 as JSON Schema: `nullable` beside `$ref` and `anyOf` is kept, prose is dropped, and a hash whose members
 * are named takes no others. Of what may be expanded, only `roots` are kept beside the id. Throws on a keyword that Stripe does not use.
 */
export function toJsonSchema(node: unknown, roots: ReadonlySet<string>): JsonSchema {
  if (!isRecord(node)) return {}
  const schema = shapeOf(node, roots)
  return node.nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

function shapeOf(node: Record<string, unknown>, roots: ReadonlySet<string>): JsonSchema {
  const ref = refName(node)
  if (ref !== undefined) return { $ref: `${definitionsId}#/definitions/${ref}` }
  if (node.allOf !== undefined || node.oneOf !== undefined)
    throw new Error('allOf and oneOf are not expected in the file')
  if (Array.isArray(node.anyOf)) return { anyOf: alternatives(node, node.anyOf, roots) }
  const schema: JsonSchema = {}
  for (const keyword of kept) if (node[keyword] !== undefined) schema[keyword] = node[keyword]
  if (node.items !== undefined) schema.items = toJsonSchema(node.items, roots)
  return { ...schema, ...membersOf(node, roots) }
}

function alternatives(node: Record<string, unknown>, anyOf: unknown[], roots: ReadonlySet<string>): JsonSchema[] {
  const expandable = node['x-expansionResources'] !== undefined
  const ours = anyOf.filter(
    (branch) => !expandable || roots.has(refName(branch) ?? '') || refName(branch) === undefined,
  )
  return ours.map((branch) => toJsonSchema(branch, roots))
}

function membersOf(node: Record<string, unknown>, roots: ReadonlySet<string>): JsonSchema {
  const { properties, required, additionalProperties } = node
  if (isRecord(additionalProperties)) return { additionalProperties: toJsonSchema(additionalProperties, roots) }
  // A hash without named members is any hash: the object of an event, for one.
  if (!isRecord(properties) || Object.keys(properties).length === 0) return {}
  const members = Object.entries(properties).map(([name, value]) => [name, toJsonSchema(value, roots)])
  return {
    properties: Object.fromEntries(members),
    additionalProperties: additionalProperties === true,
    ...(Array.isArray(required) && { required }),
  }
}
