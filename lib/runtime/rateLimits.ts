import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { createRateLimits } from '../adapters/dynamodb/rateLimit.ts'
import type { RateLimiting } from '../http/contract.ts'
import { environment, readEnvironment } from './environment.ts'

/**
 * How a function's requests are limited; undefined, and so not at all, unless `RATE_LIMITS` is `on`.
 * Throws z.ZodError where it is on and the environment does not name the table `accounts`.
 */
export function rateLimitFromEnvironment(functionName: RateLimiting['functionName']): RateLimiting | undefined {
  const { RATE_LIMITS } = readEnvironment(environment.pick({ RATE_LIMITS: true }))
  if (RATE_LIMITS !== 'on') return undefined
  const { AWS_REGION, ACCOUNTS_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true }))
  return { functionName, rateLimits: createRateLimits(createDocumentClient({ region: AWS_REGION }), ACCOUNTS_TABLE) }
}
