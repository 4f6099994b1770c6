import type { Branding } from '../../core/branding.ts'
import type { HttpDeps, HttpEvent, HttpHandler, HttpResult } from '../../http/contract.ts'
import { pipeline } from '../../http/endpoint/pipeline.ts'
import { sourceIpOf } from '../../http/request/request.ts'
import { errorPage, type Failure } from './errorPage.ts'
import { type Look, lookFor } from './look.ts'

/**
 * Creates a Lambda handler that answers browsers with pages and redirects; failures are pages too. Limits requests by source IP.
 * @param handle returns the result of `pageAnswer` or `seeOther`
 * @param failurePage replaces the default page for failures
 */
export function pageEndpoint(
  {
    branding,
    ...deps
  }: Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit' | 'edgeKey' | 'edgeOnly'> & { branding: Branding },
  handle: (event: HttpEvent, look: Look) => Promise<HttpResult>,
  failurePage: (failure: Failure, look: Look) => HttpResult = errorPage,
): HttpHandler {
  return pipeline(deps, {
    principalOf: sourceIpOf,
    handle: (event) => handle(event, lookFor(branding, event)),
    writeError: (answer, event, error) => failurePage({ answer, event, error }, lookFor(branding, event)),
  })
}
