import middy from '@middy/core'
import { answerErrors } from './answerErrors.ts'
import type { Answer, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { withRequestScope } from './requestScope.ts'
import { followClock } from './syncClock.ts'
import { outOfTime } from './timeoutOptions.ts'
import { toResult } from './toResult.ts'

/** A Lambda handler for anyone, which reads the event itself: the webhook and unmatched routes. Headers and errors as everywhere. */
export function publicEndpoint(
  deps: Pick<HttpDeps, 'clock' | 'logger'>,
  handle: (event: HttpEvent) => Promise<Answer>,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(outOfTime)
    .use(followClock(deps.clock))
    .use(answerErrors(deps.logger))
    .handler(async (event: HttpEvent): Promise<HttpResult> => toResult(await handle(event)))
  return withRequestScope(handler)
}
