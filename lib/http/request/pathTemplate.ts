/**
 * The parameters of a path that a template such as `/api/organizations/{organization_id}/members` matches, decoded; undefined
 * if it does not match. As in API Gateway's HTTP APIs, a parameter is a whole segment that is not empty.
 * @param path still percent-encoded, without a query
 */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/')
  const found = path.split('/')
  if (wanted.length !== found.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const given = found[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? segment !== given : given === '') return undefined
    if (name !== undefined) parameters[name] = decoded(given)
  }
  return parameters
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
