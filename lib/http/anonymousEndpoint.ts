import middy from '@middy/core'
import { toResult } from './answer.ts'
import { answerErrors } from './answerErrors.ts'
import type { Answer, Contract, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { rateLimit } from './rateLimit.ts'
import { readJsonBody } from './readJsonBody.ts'
import { withRequestScope } from './requestScope.ts'
import { syncClock } from './syncClock.ts'
import { timeoutOptions } from './timeoutOptions.ts'
import { type Validated, validated } from './validated.ts'

/**
 * A Lambda handler for anyone, with a contract. In this order: the clock, 429 by the source IP, 413 and
 * broken JSON, 422, then `handle`, which is given the source IP as well. Failures are answered as everywhere.
 */
export function anonymousEndpoint<C extends Contract>(
  contract: C,
  deps: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit'>,
  handle: (request: { sourceIp: string } & Validated<C>) => Promise<Answer>,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(answerErrors(deps.logger))
    .use(syncClock(deps.clock))
    .use(rateLimit(deps, sourceIpOf))
    .use(readJsonBody(contract))
    .handler(
      async (event: HttpEvent): Promise<HttpResult> =>
        toResult(await handle({ sourceIp: sourceIpOf(event), ...validated(contract, event) })),
    )
  return withRequestScope(handler)
}

function sourceIpOf({ requestContext }: HttpEvent): string {
  return requestContext.http.sourceIp
}
