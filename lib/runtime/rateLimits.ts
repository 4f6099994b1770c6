import * as z from 'zod/mini'
import { createRateLimits } from '../adapters/dynamodb/rateLimitStore.ts'
import type { FunctionRateLimit } from '../core/rateLimits.ts'
import type { HttpDeps, RateLimiting } from '../http/contract.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'

const count = z.int().check(z.positive())

const functionRateLimit = z.object({
  functionName: z.string().check(z.minLength(1)),
  requests: count,
  windowSeconds: count,
  failMode: z.enum(['open', 'closed']),
}) satisfies z.ZodMiniType<FunctionRateLimit>

/**
 * The limit of this function's requests, from `RATE_LIMIT`; undefined unless `RATE_LIMITS` is `on`.
 * Throws Error if limits are on and the environment lacks the limit or the table `accounts`.
 */
export function rateLimitFromEnvironment(): RateLimiting | undefined {
  if (environment.RATE_LIMITS !== 'on') return undefined
  const { data: limit } = functionRateLimit.safeParse(JSON.parse(environment.RATE_LIMIT))
  if (limit === undefined) throw new Error("The environment's RATE_LIMIT is no limit of a function")
  return { limit, rateLimits: createRateLimits(documents, accountsTable()) }
}

/** How an endpoint limits its callers, and whether requests must come through CloudFront. Throws as `rateLimitFromEnvironment`. */
export function callersFromEnvironment(): Pick<HttpDeps, 'rateLimit' | 'edgeKey' | 'edgeOnly'> {
  const { EDGE_KEY, EDGE_ONLY } = environment
  return { rateLimit: rateLimitFromEnvironment(), edgeKey: EDGE_KEY, edgeOnly: EDGE_ONLY === 'on' }
}
