/**
 * Writes schemas in the way that the generators of every language read, without changing what they allow. Everything below `value` is changed in
 * place.
 */
export function plainSchemas(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) {
    spellOutTypes(value)
    foldNull(value)
    freeOptional(value)
    bareConstant(value)
    bareNull(value)
    if ('default' in value && value.default === null) delete value.default
  }
  for (const [name, member] of Object.entries(value)) if (!samples.includes(name)) plainSchemas(member)
}

const samples: readonly string[] = ['example', 'examples']

/**
 * A list of types but "one or null" becomes `anyOf`: zod-openapi shortens unions of bare types to `type: [string, integer]`, of which the Go
 * generator makes nothing.
 */
function spellOutTypes(schema: object): void {
  if (!('type' in schema) || !Array.isArray(schema.type) || !isMixed(schema.type)) return
  Object.assign(schema, { anyOf: schema.type.map((type) => ({ type })) })
  delete schema.type
}

function isMixed(types: readonly unknown[]): boolean {
  return types.filter((type) => type !== 'null').length > 1
}

/** "A type or null" becomes a list of types: of `anyOf` in a request openapi-generator makes a class, which does not compile for a list. */
function foldNull(schema: object): void {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return
  const [inner, other, ...more] = schema.anyOf
  const isNullable = more.length === 0 && other?.type === 'null' && Object.keys(other).length === 1
  // Null is not among the values.
  if (!isNullable || typeof inner.type !== 'string' || 'enum' in inner || 'const' in inner) return
  const own = { ...schema }
  Reflect.deleteProperty(own, 'anyOf')
  delete schema.anyOf
  Object.assign(schema, inner, own, { type: [inner.type, 'null'] })
}

/** A member that is true or left out is a boolean: of a constant openapi-python-client makes a module that does not load. */
function freeOptional(schema: object): void {
  if (!('properties' in schema) || typeof schema.properties !== 'object' || schema.properties === null) return
  const required: readonly unknown[] = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of Object.entries(schema.properties))
    if (property.type === 'boolean' && !required.includes(name)) delete property.const
}

/** A constant has its type anyway, and of a boolean that has both openapi-generator makes an enum that does not compile in Java. */
function bareConstant(schema: object): void {
  if ('const' in schema && 'type' in schema && schema.type === 'boolean') delete schema.type
}

/** Of a body that is null openapi-generator makes a class of that name, which it does not write. */
function bareNull(media: object): void {
  if (!('schema' in media) || typeof media.schema !== 'object' || media.schema === null) return
  if ('type' in media.schema && media.schema.type === 'null') media.schema = { const: null }
}
