import { type FunctionRateLimit, THROTTLE_COUNT } from '../../lib/core/rateLimits.ts'
import { type FunctionRow, isOfOrganization } from '../manifest.ts'

/** The variable `RATE_LIMIT` of a function, as JSON; undefined for a function without a limit. */
export function rateLimitVariable({ name, rateLimit }: Pick<FunctionRow, 'name' | 'rateLimit'>): string | undefined {
  if (rateLimit === undefined) return undefined
  const { requestsPerMinute: requests, failMode } = rateLimit
  return JSON.stringify({ functionName: name, requests, windowSeconds: 60, failMode } satisfies FunctionRateLimit)
}

/** The names under which a function counts requests: its own, and that of throttled organizations if its callers act in one. */
export function countsOf(row: FunctionRow): string[] {
  return isOfOrganization(row) ? [row.name, THROTTLE_COUNT] : [row.name]
}
