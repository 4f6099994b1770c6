import type { Answer } from '../http/answer.ts'
import type { HttpDeps, HttpEvent, HttpHandler, HttpResult } from '../http/contract.ts'
import { pipeline } from '../http/pipeline.ts'
import { sourceIpOf } from '../http/request.ts'
import { errorPage } from './errorPage.ts'

/**
 * A Lambda handler for people with a browser, signed in or not: it answers pages and redirects, and every failure is a page too.
 * Requests are limited by source IP.
 * @param handle its result comes from `pageAnswer` or `seeOther`
 * @param failurePage the endpoint's own page for failures, where it has one
 */
export function pageEndpoint(
  deps: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit'>,
  handle: (event: HttpEvent) => Promise<HttpResult>,
  failurePage: (answer: Answer, event: HttpEvent) => HttpResult = errorPage,
): HttpHandler {
  return pipeline(deps, { principalOf: sourceIpOf, handle, writeError: failurePage })
}
