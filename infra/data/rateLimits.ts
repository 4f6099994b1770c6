import type { FunctionRateLimit } from '../../lib/core/rateLimits.ts'
import type { FunctionRow } from '../manifest.ts'

/** The variable `RATE_LIMIT` of a function, as JSON; undefined for a function without a limit. */
export function rateLimitVariable({ name, rateLimit }: Pick<FunctionRow, 'name' | 'rateLimit'>): string | undefined {
  if (rateLimit === undefined) return undefined
  const { requestsPerMinute: requests, failMode } = rateLimit
  return JSON.stringify({ functionName: name, requests, windowSeconds: 60, failMode } satisfies FunctionRateLimit)
}
