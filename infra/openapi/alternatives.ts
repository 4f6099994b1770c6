/**
 * Writes every list of types but "one or null" as `anyOf`, everywhere in `value`: zod-openapi shortens unions of bare types to
 * `type: [string, integer]`, of which the Go generator makes nothing.
 */
export function spellOutTypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && 'type' in value && Array.isArray(value.type) && isMixed(value.type)) {
    Object.assign(value, { anyOf: value.type.map((type) => ({ type })) })
    delete value.type
  }
  for (const member of Object.values(value)) spellOutTypes(member)
}

function isMixed(types: readonly unknown[]): boolean {
  return types.filter((type) => type !== 'null').length > 1
}
