import { refusal } from '../../lib/http/answer/errorBody.ts'
import { rawEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { type KnownPath, knownPaths } from '../../lib/http/request/knownPaths.ts'
import { matchPath } from '../../lib/http/request/pathTemplate.ts'
import { header } from '../../lib/http/request/request.ts'
import { answerHeaders, type CrossOriginReaders, preflightHeaders } from '../../lib/http/security/cors.ts'
import { allowsOrigin } from '../../lib/runtime/allowedOrigins.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { contract } from './contract.ts'

/**
 * Every request that no route matches: 204 to a page's preflight (Fetch Standard §4.8), 405 with `Allow` if its path has other methods
 * (RFC 9110 §15.5.6), else 404.
 */
export const handler = rawEndpoint(contract, { clock, logger }, async (event) => {
  const { rawPath, requestContext } = event
  const matching = knownPaths.filter(({ template }) => matchPath(template, rawPath))
  const methods = matching.flatMap((path) => path.methods)
  const readers = readersOf(matching)
  const origin = header(event, 'origin')
  const isPreflight =
    requestContext.http.method === 'OPTIONS' && header(event, 'access-control-request-method') !== undefined
  if (isPreflight && origin !== undefined && methods.length > 0 && readers !== undefined) {
    return { status: 204, body: undefined, headers: await preflightHeaders(readers, { origin, methods }) }
  }
  const headers = readers && (await answerHeaders(readers, origin))
  // A path with its own method arrives here only if API Gateway takes its spelling for another path, such as `%2F` for a slash.
  if (methods.length === 0 || methods.includes(requestContext.http.method)) {
    return { ...refusal('not_found', event), headers }
  }
  return { ...refusal('method_not_allowed', event), headers: { allow: methods.join(', '), ...headers } }
})

/** No other page may read a hosted page. If a request matches several paths, because one has a parameter, all have the same readers. */
function readersOf(matching: readonly KnownPath[]): CrossOriginReaders | undefined {
  if (matching.some(({ crossOrigin }) => crossOrigin === 'none')) return undefined
  return matching.some(({ crossOrigin }) => crossOrigin === 'any') ? 'any' : allowsOrigin
}
