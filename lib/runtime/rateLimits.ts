import { createRateLimits } from '../adapters/dynamodb/rateLimit.ts'
import type { FunctionRateLimit } from '../core/rateLimits.ts'
import type { RateLimiting } from '../http/contract.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'

/**
 * How this function's requests are limited: `RATE_LIMIT`; undefined, and so not at all, unless `RATE_LIMITS` is `on`.
 * Throws Error where it is on and the environment does not give the limit and the table `accounts`.
 */
export function rateLimitFromEnvironment(): RateLimiting | undefined {
  if (environment.RATE_LIMITS !== 'on') return undefined
  const limit: unknown = JSON.parse(environment.RATE_LIMIT)
  if (!isLimit(limit)) throw new Error("The environment's RATE_LIMIT is no limit of a function")
  return { limit, rateLimits: createRateLimits(documents, accountsTable()) }
}

/** Without zod, which no start loads. */
function isLimit(value: unknown): value is FunctionRateLimit {
  if (typeof value !== 'object' || value === null) return false
  const { functionName, requests, windowSeconds, failMode }: Partial<Record<keyof FunctionRateLimit, unknown>> = value
  return (
    typeof functionName === 'string' &&
    functionName !== '' &&
    isCount(requests) &&
    isCount(windowSeconds) &&
    (failMode === 'open' || failMode === 'closed')
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}
