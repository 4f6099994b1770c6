import { rawEndpoint } from '../../lib/http/endpoint.ts'
import { refusal } from '../../lib/http/errorBody.ts'
import { matchPath } from '../../lib/http/pathTemplate.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { routesFromEnvironment } from '../../lib/runtime/routes.ts'
import { contract } from './contract.ts'

const routes = Object.entries(routesFromEnvironment())

/** Every request that no route matches: 405 with `Allow` where its path has other methods (RFC 9110 §15.5.6), else 404. */
export const handler = rawEndpoint(contract, { clock, logger }, async (event) => {
  const { rawPath, requestContext } = event
  const methods = routes.flatMap(([template, methodsOf]) => (matchPath(template, rawPath) ? methodsOf : []))
  // A path with its own method arrives here only in a spelling that API Gateway takes for another path, such as `%2F` for a slash.
  if (methods.length === 0 || methods.includes(requestContext.http.method)) {
    return refusal('not_found', event)
  }
  return { ...refusal('method_not_allowed', event), headers: { allow: methods.join(', ') } }
})
