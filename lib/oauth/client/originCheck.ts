import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { Logger } from '../../log/logger.ts'
import type { ClientOrigins } from '../ports.ts'
import { isRegistered, type RedirectPolicy } from './redirectUri.ts'

interface OriginCheckDeps {
  readonly origins: ClientOrigins
  readonly clock: Clock
  readonly logger: Logger
  readonly redirectPolicy: RedirectPolicy
}

/** How long the origins are used before they are read again. */
const KEPT_MILLISECONDS = 30_000

/** How long a request may wait for the origins: its own work rarely takes less. */
const PATIENCE_MILLISECONDS = 1000

/**
 * Returns whether pages of an origin may call the API: if an enabled client has a redirect or post-logout URI with this origin. Origins are
 * compared as those URIs are. Reads the origins at most every 30 seconds, once for any number of concurrent requests. Never rejects: if reading
 * fails, the origins that were read last are used, or none if there are none yet.
 */
export function createOriginCheck(deps: OriginCheckDeps): (origin: string) => Promise<boolean> {
  const { origins, clock, logger, redirectPolicy } = deps
  let known: { readonly origins: readonly string[]; readonly readAt: number } | undefined
  let reading: Promise<readonly string[]> | undefined

  const isFresh = (readAt: number) => Math.abs(clock.now() - readAt) < KEPT_MILLISECONDS

  async function read(): Promise<readonly string[]> {
    const readAt = clock.now()
    try {
      known = { origins: await origins.list(AbortSignal.timeout(PATIENCE_MILLISECONDS)), readAt }
    } catch (error) {
      logger.warn('Origins of clients not read', { reason: reasonOf(error) })
    } finally {
      reading = undefined
    }
    return known?.origins ?? []
  }

  return async (origin) => {
    if (known === undefined || !isFresh(known.readAt)) reading ??= read()
    return isRegistered((await reading) ?? known?.origins ?? [], origin, redirectPolicy)
  }
}
