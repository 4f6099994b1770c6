/** One request as it left the SDK. */
export interface WireRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

type Handler = (request: WireRequest) => Promise<Response>

const worlds = new Map<string, Handler>()
const network = globalThis.fetch

/**
 * The adapter sends with the global `fetch`, which here leads a world's own host into that world and anything else to the network.
 */
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const handler = worlds.get(url.host)
  if (!handler) return network(input, init)
  const headers = Object.fromEntries(new Headers(init?.headers))
  const body = typeof init?.body === 'string' ? init.body : ''
  return handler({ method: init?.method ?? 'GET', path: url.pathname + url.search, headers, body })
}

/** Lets a host answer until `close`, which returns false where it was closed before. */
export function answerHost(host: string, handler: Handler): { close(): boolean } {
  worlds.set(host, handler)
  return { close: () => worlds.delete(host) }
}
