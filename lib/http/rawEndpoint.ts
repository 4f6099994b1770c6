import middy from '@middy/core'
import { toResult } from './answer.ts'
import { answerErrors } from './answerErrors.ts'
import type { Answer, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { withRequestScope } from './requestScope.ts'
import { syncClock } from './syncClock.ts'
import { timeoutOptions } from './timeoutOptions.ts'

/** A Lambda handler for anyone, which reads the event itself: the webhook and unmatched routes. Headers and errors as everywhere. */
export function rawEndpoint(
  deps: Pick<HttpDeps, 'clock' | 'logger'>,
  handle: (event: HttpEvent) => Promise<Answer>,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(syncClock(deps.clock))
    .use(answerErrors(deps.logger))
    .handler(async (event: HttpEvent): Promise<HttpResult> => toResult(await handle(event)))
  return withRequestScope(handler)
}
