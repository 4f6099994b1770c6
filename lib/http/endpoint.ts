import middy from '@middy/core'
import { CommonError } from '../core/errors.ts'
import type { Identity } from '../core/identity.ts'
import { toResult } from './answer.ts'
import { answerErrors } from './answerErrors.ts'
import { authenticate } from './authenticate.ts'
import type { Answer, Contract, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { rateLimit } from './rateLimit.ts'
import { readJsonBody } from './readJsonBody.ts'
import { withRequestScope } from './requestScope.ts'
import { syncClock } from './syncClock.ts'
import { timeoutOptions } from './timeoutOptions.ts'
import { type Validated, validated } from './validated.ts'

export type {
  Answer,
  Contract,
  HttpDeps,
  HttpEvent,
  HttpHandler,
  HttpResult,
  Output,
  RateLimiting,
} from './contract.ts'

/**
 * A Lambda handler for signed-in users. In this order: the clock, 401, 429, 413 and broken JSON, 422, then `handle`; for a GET the
 * check behind 429 takes place beside `handle`.
 * What `handle` throws is answered from the table of `errorAnswers.ts`, anything not in it as 500.
 */
export function protectedEndpoint<C extends Contract>(
  contract: C,
  deps: HttpDeps,
  handle: (request: { identity: Identity } & Validated<C>) => Promise<Answer>,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(answerErrors(deps.logger))
    .use(syncClock(deps.clock))
    .use(authenticate(deps.accessTokens))
    .use(rateLimit(deps, ({ identity }) => identity?.userId))
    .use(readJsonBody(contract))
    .handler(async (event: HttpEvent): Promise<HttpResult> => {
      const { identity } = event
      if (identity === undefined) throw new CommonError('unauthorized')
      return toResult(await handle({ identity, ...validated(contract, event) }))
    })
  return withRequestScope(handler)
}
