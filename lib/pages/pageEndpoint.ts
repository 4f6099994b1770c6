import type { Answer } from '../http/answer.ts'
import type { HttpDeps, HttpEvent, HttpHandler, HttpResult } from '../http/contract.ts'
import { pipeline } from '../http/pipeline.ts'
import { sourceIpOf } from '../http/request.ts'
import { errorPage } from './errorPage.ts'

/**
 * Creates a Lambda handler that answers browsers with pages and redirects; failures are pages too. Limits requests by source IP.
 * @param handle returns the result of `pageAnswer` or `seeOther`
 * @param failurePage replaces the default page for failures
 */
export function pageEndpoint(
  deps: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit'>,
  handle: (event: HttpEvent) => Promise<HttpResult>,
  failurePage: (answer: Answer, event: HttpEvent) => HttpResult = errorPage,
): HttpHandler {
  return pipeline(deps, { principalOf: sourceIpOf, handle, writeError: failurePage })
}
