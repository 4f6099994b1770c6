/** The shell's text for a word. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** Parameters as a form has them: `items[0][price]`. */
function fields(params, above = '') {
  return Object.entries(params).flatMap(([name, value]) => {
    const path = above === '' ? name : `${above}[${name}]`
    return typeof value === 'object' && value !== null ? fields(value, path) : [`${path}=${value}`]
  })
}

/** A logged request as a command of curl. The log has no key: the command takes that of the shell, or else the usual key. */
export function curlOf({ method, path, idempotency_key: key, params }, origin) {
  const data = fields(params ?? {}).map((field) => `--data-urlencode ${quoted(field)}`)
  const parts = [
    `curl ${method === 'GET' && data.length > 0 ? '-G' : `-X ${method}`} ${quoted(origin + path)}`,
    `-u "\${STRIPE_KEY:-sk_test_StripeEmulator0000000000}:"`,
    ...(key === null ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...data,
  ]
  return parts.join(' \\\n  ')
}

/**
 * What happened to an object, oldest first: the events that are about it or name it, the requests that caused them, and the requests that
 * name it. Each is `{at, text, id, about?}`.
 */
export function storyOf(id, { events, requests }) {
  const names = (value) => JSON.stringify(value ?? null).includes(`"${id}"`)
  const reports = events.filter((event) => event.id !== id && (names(event.data) || event.request.id === id))
  const places = new Map(requests.map((row, place) => [row.id, place]))
  const causes = new Set(reports.map(({ request }) => request.id))
  const asked = requests.filter((row) => {
    return row.id !== id && (causes.has(row.id) || row.path.split('/').includes(id) || names(row.params))
  })
  const steps = [
    ...asked.map((row) => ({
      at: row.at,
      place: places.get(row.id),
      text: `${row.method} ${row.path} ${row.status ?? 'no answer'}`,
      id: row.id,
    })),
    ...reports.map(({ created, type, id: event, data, request }) => ({
      at: created,
      place: places.get(request.id) ?? requests.length,
      text: type,
      id: event,
      about: data.object.id,
    })),
  ]
  // Within a second, an event follows the request that caused it.
  return steps.sort((a, b) => a.at - b.at || a.place - b.place)
}
