/** API Gateway accepts 10,240 bytes of request line and headers: longer requests do not fit. */
const MAX_CHARACTERS = 8192

/** The query by which GET has the same request as a form, with these fields of it only; `too_long` if it does not fit into an address. */
export function postedQuery(form: URLSearchParams, names: readonly string[]): string | 'too_long' {
  const query = new URLSearchParams([...form].filter(([name]) => names.includes(name))).toString()
  return query.length > MAX_CHARACTERS ? 'too_long' : query
}
