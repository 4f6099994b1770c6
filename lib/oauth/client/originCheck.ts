import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { Logger } from '../../log/logger.ts'
import type { ClientOrigins } from '../ports.ts'
import { isRegistered, type RedirectPolicy } from './redirectUri.ts'

/** What deciding about origins reads and writes. */
interface OriginCheckDeps {
  readonly origins: ClientOrigins
  readonly clock: Clock
  readonly logger: Logger
  readonly redirectPolicy: RedirectPolicy
}

/** How long the origins that were read are used. */
const KEPT_MILLISECONDS = 30_000

/** How long a request may wait for them: its own work is rarely done sooner. */
const PATIENCE_MILLISECONDS = 1000

/**
 * Returns whether pages of an origin may call the API: it is that of an enabled client's redirect or post-logout URI, compared as those
 * URIs are. Reads the origins at most every 30 seconds, once for any number of requests at the same time. Never rejects: while they
 * cannot be read, those read last are used, and none where there are none.
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
