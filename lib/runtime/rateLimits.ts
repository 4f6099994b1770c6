import { createRateLimits } from '../adapters/dynamodb/rateLimit.ts'
import type { RateLimiting } from '../http/contract.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment, readEnvironment } from './environment.ts'

/**
 * How a function's requests are limited; undefined, and so not at all, unless `RATE_LIMITS` is `on`.
 * Throws z.ZodError where it is on and the environment does not name the table `accounts`.
 */
export function rateLimitFromEnvironment(functionName: RateLimiting['functionName']): RateLimiting | undefined {
  const { RATE_LIMITS } = readEnvironment(environment.pick({ RATE_LIMITS: true }))
  if (RATE_LIMITS !== 'on') return undefined
  return { functionName, rateLimits: createRateLimits(documents, accountsTable()) }
}
