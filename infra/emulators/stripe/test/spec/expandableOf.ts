import { isRecord, type JsonSchema, refName } from './jsonSchema.ts'

/** What Stripe's file marks expandable in an object: members that hold ids or objects, and members that only an expansion shows. */
interface Expandable {
  references: string[]
  hidden: string[]
}

function record(value: unknown): JsonSchema {
  return isRecord(value) ? value : {}
}

/** The text of `wire/expandable.json`: what the OpenAPI file marks expandable, by object, nested names with dots. */
export function expandableText(spec: unknown, objects: readonly string[]): string {
  const schemas = record(record(record(spec).components).schemas)

  /** The schemas that a member leads to, in a list or a choice too. */
  function targetsOf(member: JsonSchema): string[] {
    const parts = [member.items, ...(Array.isArray(member.anyOf) ? member.anyOf : [])].filter(isRecord)
    const own = refName(member)
    return [...(own === undefined ? [] : [own]), ...parts.flatMap(targetsOf)]
  }

  function namesIn(schema: JsonSchema, above: string, seen: readonly string[]): Expandable {
    const found: Expandable = { references: [], hidden: [] }
    const fields = Array.isArray(schema['x-expandableFields']) ? schema['x-expandableFields'] : []
    const required = Array.isArray(schema.required) ? schema.required : []
    for (const field of fields.map(String)) {
      const member = record(record(schema.properties)[field])
      const name = `${above}${field}`
      const targets = targetsOf(member)
      const isReference = 'x-expansionResources' in member || 'x-expansionResources' in record(member.items)
      const isObject = targets.some((target) => isRecord(record(record(schemas[target]).properties).object))
      const isTable = 'additionalProperties' in member || member.type === 'array' || 'data' in record(member.properties)
      const inner = targets.filter((target) => !seen.includes(target))
      if (isReference) found.references.push(name)
      else if (!required.includes(field) && (isTable || isObject) && !(isTable && member.nullable === true))
        found.hidden.push(name)
      else if (isObject) found.references.push(name)
      else
        for (const target of inner) {
          const below = namesIn(record(schemas[target]), `${name}.`, [...seen, target])
          found.references.push(...below.references)
          found.hidden.push(...below.hidden)
        }
    }
    return found
  }

  const listed = [...objects].sort().map((name) => {
    const { references, hidden } = namesIn(record(schemas[name]), '', [name])
    return [name, { references: [...new Set(references)].sort(), hidden: [...new Set(hidden)].sort() }]
  })
  return `${JSON.stringify(Object.fromEntries(listed), null, 2)}\n`
}
