import type { AllowsOrigin, HttpHandler } from '../contract.ts'
import { header } from '../request/request.ts'

/** Which pages of other origins may read the answers of an endpoint. */
export type CrossOriginReaders = 'any' | AllowsOrigin

type Headers = Readonly<Record<string, string>>

/** What a page may read of an answer beside the headers that every page may. */
const exposed =
  'Deprecation, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, x-request-id'

/** What a page may send beside the headers that every page may. */
const accepted = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match'

/** How long a browser may keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 600

/**
 * The headers by which a browser lets a page read an answer (Fetch Standard §3.2). Credentials are never allowed: a page sends its access
 * token, and no cookie.
 * @param origin of the page; undefined if no page sent the request
 */
export async function answerHeaders(readers: CrossOriginReaders, origin: string | undefined): Promise<Headers> {
  if (readers === 'any') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
  if (origin === undefined || !(await readers(origin))) return { vary: 'Origin' }
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }
}

/** The headers by which a browser lets a page send a request with these methods. */
export async function preflightHeaders(
  readers: CrossOriginReaders,
  { origin, methods }: { origin: string; methods: readonly string[] },
): Promise<Headers> {
  const { 'access-control-expose-headers': _, ...headers } = await answerHeaders(readers, origin)
  if (!('access-control-allow-origin' in headers)) return headers
  return {
    ...headers,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': accepted,
    'access-control-max-age': `${PREFLIGHT_SECONDS}`,
  }
}

/** The same handler, whose every answer, errors included, may be read by `readers`. They are looked up beside the handler's own work. */
export function withCors(readers: CrossOriginReaders | undefined, handler: HttpHandler): HttpHandler {
  if (readers === undefined) return handler
  return async (event, context) => {
    const looked = answerHeaders(readers, header(event, 'origin'))
    const answer = await handler(event, context)
    return { ...answer, headers: { ...answer.headers, ...(await looked) } }
  }
}
