/** The shape of a JSON value as text: its members and the types of their values; of a list the shapes in it, each once. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join(', ')}]`
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shapeOf(member)}`)
  return `{ ${members.sort().join(', ')} }`
}
