import middy from '@middy/core'
import { answerErrors, errorAnswer } from '../http/answerErrors.ts'
import type { Answer, HttpDeps, HttpEvent, HttpHandler, HttpResult } from '../http/contract.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { withRequestScope } from '../http/requestScope.ts'
import { syncClock } from '../http/syncClock.ts'
import { timeoutOptions } from '../http/timeoutOptions.ts'
import { errorPage } from './errorPage.ts'

/**
 * A Lambda handler for people with a browser, signed in or not: it answers pages and redirects, and every failure is a page too.
 * Requests are limited by the address that they come from.
 * @param handle its result comes from `pageAnswer` or `seeOther`
 * @param failurePage the endpoint's own page for failures, where it has one
 */
export function pageEndpoint(
  deps: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit'>,
  handle: (event: HttpEvent) => Promise<HttpResult>,
  failurePage: (answer: Answer, event: HttpEvent) => HttpResult = errorPage,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(answerErrors(deps.logger, errorAnswer, failurePage))
    .use(syncClock(deps.clock))
    .use(rateLimit(deps, ({ requestContext }) => requestContext.http.sourceIp))
    .handler(async (event: HttpEvent): Promise<HttpResult> => handle(event))
  return withRequestScope(handler)
}
