import type { HttpDeps } from '../http/contract.ts'
import { environment } from './environment.ts'
import { rateLimitFromEnvironment } from './rateLimits.ts'

/** What every endpoint that is limited needs to know of its callers. Throws as `rateLimitFromEnvironment`. */
export function callersFromEnvironment(): Pick<HttpDeps, 'rateLimit' | 'edgeKey' | 'edgeOnly'> {
  const { EDGE_KEY, EDGE_ONLY } = environment
  return { rateLimit: rateLimitFromEnvironment(), edgeKey: EDGE_KEY, edgeOnly: EDGE_ONLY === 'on' }
}
