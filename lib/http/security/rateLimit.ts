import type { MiddlewareObj } from '@middy/core'
import { reasonOf } from '../../core/errors.ts'
import type { RateLimit, RateWindow } from '../../core/rateLimits.ts'
import type { HttpDeps, HttpEvent, HttpResult, RateLimiting } from '../contract.ts'
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
      event.admission = requireAdmission(deps, { limit: { ...limit, ...limitOf(event) }, rateLimits }, principal)
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
 * Counts a request of a principal in the current window of the limit.
 * @throws RateLimitedError; CommonError `service_unavailable` if the store is unavailable and the fail mode is `closed`
 */
export async function requireAdmission(
  { clock, logger }: Pick<Deps, 'clock' | 'logger'>,
  { limit, rateLimits }: RateLimiting,
  principal: string,
): Promise<void> {
  const { functionName } = limit
  const window = { functionName, principal, ...windowAt(limit, clock.now()) }
  const admitted = await rateLimits.admit(window, limit.requests).catch((error: unknown) => {
    if (limit.failMode === 'closed') throw error
    logger.warn('Rate limit not checked', { functionName, reason: reasonOf(error) })
    return true
  })
  if (admitted) return
  logger.warn('Rate limit exceeded', { functionName })
  throw new RateLimitedError({ retryAfterSeconds: Math.max(1, Math.ceil(window.endsAt - clock.now() / 1000)) })
}

/** The window that contains `now`, in Unix milliseconds. */
export function windowAt({ windowSeconds }: RateLimit, now: number): Pick<RateWindow, 'startsAt' | 'endsAt'> {
  const seconds = Math.floor(now / 1000)
  const startsAt = seconds - (seconds % windowSeconds)
  return { startsAt, endsAt: startsAt + windowSeconds }
}
