import type { MiddlewareObj } from '@middy/core'
import { reasonOf } from '../../core/errors.ts'
import type { RateLimit, RateWindow } from '../../core/rateLimits.ts'
import type { Budget, HttpDeps, HttpEvent, HttpResult, RateLimiting } from '../contract.ts'
import { RateLimitedError } from '../errors.ts'

type Deps = Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit' | 'isCountedFirst'>

/**
 * Middleware: one call counts the request against its principal's limit. A GET or HEAD changes nothing (RFC 9110 §9.2.1), so its handler
 * runs beside the call, and its answer is discarded if the limit is exceeded. Any other method waits for the call, as does one that
 * `isCountedFirst`: nothing is read or written for a request that is not admitted. In both cases 429 precedes every error of the steps that follow.
 * Throws RateLimitedError, and CommonError `service_unavailable` if the store is unavailable and the fail mode is `closed`.
 * @param principalOf the principal that the request counts for; undefined for a request that is refused anyway and costs nothing
 * @param limitOf the limit of the request's principal; if undefined, the function's
 */
export function rateLimit(
  deps: Deps,
  principalOf: (event: HttpEvent) => string | undefined,
  limitOf: (event: HttpEvent) => RateLimit | undefined = () => undefined,
): MiddlewareObj<HttpEvent, HttpResult, Error> {
  return {
    async before({ event }) {
      const principal = principalOf(event)
      if (deps.rateLimit === undefined || principal === undefined) return
      const { limit, rateLimits } = deps.rateLimit
      const limiting = { limit: { ...limit, ...limitOf(event) }, rateLimits }
      event.admission = requireAdmission(deps, limiting, principal, (budget) => {
        event.budget = budget
      })
      // `after` and `onError` await the refusal; until then it must not count as unhandled.
      event.admission.catch(() => {})
      const { method } = event.requestContext.http
      if (deps.isCountedFirst || (method !== 'GET' && method !== 'HEAD')) await event.admission
    },
    async after({ event }) {
      await event.admission
    },
    async onError(request) {
      await request.event.admission?.catch((refusal) => {
        request.error = refusal
      })
    },
  }
}

/**
 * Middleware: adds the budget of a counted request to its answer, a refusal included, in the fields of
 * draft-ietf-httpapi-ratelimit-headers-10. Comes before the middleware that answers errors.
 */
export const showBudget: MiddlewareObj<HttpEvent, HttpResult, Error> = { after: addBudget, onError: addBudget }

function addBudget({ event, response }: { event: HttpEvent; response?: HttpResult | null | undefined }): void {
  if (event.budget === undefined || !response) return
  const { requests, windowSeconds, remaining, resetSeconds } = event.budget
  response.headers = {
    ...response.headers,
    'ratelimit-policy': `"operation";q=${requests};w=${windowSeconds}`,
    ratelimit: `"operation";r=${remaining};t=${resetSeconds}`,
  }
}

/**
 * Counts a request of a principal in the current window of the limit.
 * @param report gets what is left of the window, unless the request could not be counted
 * @throws RateLimitedError; CommonError `service_unavailable` if the store is unavailable and the fail mode is `closed`
 */
export async function requireAdmission(
  { clock, logger }: Pick<Deps, 'clock' | 'logger'>,
  { limit, rateLimits }: RateLimiting,
  principal: string,
  report: (budget: Budget) => void = () => {},
): Promise<void> {
  const { functionName } = limit
  const window = { functionName, principal, ...windowAt(limit, clock.now()) }
  const remaining = await rateLimits.admit(window, limit.requests).catch((error: unknown) => {
    if (limit.failMode === 'closed') throw error
    logger.warn('Rate limit not checked', { functionName, reason: reasonOf(error) })
    return 'unknown' as const
  })
  if (remaining === 'unknown') return
  const resetSeconds = Math.max(1, Math.ceil(window.endsAt - clock.now() / 1000))
  report({ requests: limit.requests, windowSeconds: limit.windowSeconds, remaining: remaining ?? 0, resetSeconds })
  if (remaining !== undefined) return
  logger.warn('Rate limit exceeded', { functionName })
  throw new RateLimitedError({ retryAfterSeconds: resetSeconds })
}

/** The window that contains `now`, in Unix milliseconds. */
export function windowAt({ windowSeconds }: RateLimit, now: number): Pick<RateWindow, 'startsAt' | 'endsAt'> {
  const seconds = Math.floor(now / 1000)
  const startsAt = seconds - (seconds % windowSeconds)
  return { startsAt, endsAt: startsAt + windowSeconds }
}
