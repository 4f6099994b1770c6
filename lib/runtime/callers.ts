import type { HttpDeps } from '../http/contract.ts'
import { environment, readEnvironment } from './environment.ts'
import { rateLimitFromEnvironment } from './rateLimits.ts'

/** What an endpoint whose callers are known by their source IP needs. Throws as `rateLimitFromEnvironment`. */
export function callersFromEnvironment(): Pick<HttpDeps, 'rateLimit' | 'edgeKey'> {
  const { EDGE_KEY } = readEnvironment(environment.pick({ EDGE_KEY: true }))
  return { rateLimit: rateLimitFromEnvironment(), edgeKey: EDGE_KEY }
}
