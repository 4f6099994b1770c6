import * as z from 'zod'
import { createRateLimits } from '../adapters/dynamodb/rateLimit.ts'
import type { RateLimiting } from '../http/contract.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment, readEnvironment } from './environment.ts'

const limitSchema = z.object({
  functionName: z.string().min(1),
  requests: z.int().positive(),
  windowSeconds: z.int().positive(),
  failMode: z.literal(['open', 'closed']),
})

/**
 * How this function's requests are limited: `RATE_LIMIT`; undefined, and so not at all, unless `RATE_LIMITS` is `on`.
 * Throws z.ZodError or SyntaxError where it is on and the environment does not give the limit and the table `accounts`.
 */
export function rateLimitFromEnvironment(): RateLimiting | undefined {
  const { RATE_LIMITS } = readEnvironment(environment.pick({ RATE_LIMITS: true }))
  if (RATE_LIMITS !== 'on') return undefined
  const { RATE_LIMIT } = readEnvironment(environment.pick({ RATE_LIMIT: true }))
  return { limit: limitSchema.parse(JSON.parse(RATE_LIMIT)), rateLimits: createRateLimits(documents, accountsTable()) }
}
