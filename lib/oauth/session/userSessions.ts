import type { Clock } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { SessionError } from '../errors.ts'
import type { RefreshTokens, Sessions, UserSessions } from '../ports.ts'
import type { SecretDigest } from '../secretDigest.ts'

/** What ends what is listed for a user. */
export interface EndGrantsDeps {
  readonly sessions: Sessions
  readonly userSessions: Pick<UserSessions, 'close' | 'families'>
  readonly refreshTokens: Pick<RefreshTokens, 'revokeFamily'>
  readonly clock: Clock
}

/** What ends it for a caller. */
export interface EndUserSessionDeps extends EndGrantsDeps {
  readonly callers: { requireLive(caller: Caller): Promise<void> }
  readonly logger: Logger
}

/**
 * Ends one session in the caller's list: a browser's with its cookie and all that first-party clients got in it, or what one other client
 * got. Safe to repeat, also after a failure.
 * @throws SessionError `session_not_found` where this user has no such session; CommonError `invalid_token`, `service_unavailable`
 */
export async function endUserSession(deps: EndUserSessionDeps, caller: Caller, sessionId: string): Promise<void> {
  await deps.callers.requireLive(caller)
  const found = await endListedSession(deps, caller.userId, sessionId)
  if (!found) throw new SessionError('session_not_found')
  deps.logger.info('Session ended', { sessionId })
}

/**
 * The same for a session of this user. False where there is none.
 * @param by the cookie of who asks by it, which ends after all others: after a failure it is good to ask again
 * @throws CommonError `service_unavailable`
 */
export async function endListedSession(
  deps: EndGrantsDeps,
  userId: UserId,
  sessionId: string,
  by?: SecretDigest,
): Promise<boolean> {
  // First, so that no family is added after they are read. The cookies go last: after a failure, signing out again finds the session.
  const cookies = await deps.userSessions.close(userId, sessionId, deps.clock.now())
  const families = await deps.userSessions.families(userId, { sessionId })
  await revokeAll(deps, families)
  await Promise.all((cookies ?? []).filter((cookie) => cookie !== by).map((cookie) => deps.sessions.end(cookie)))
  if (by !== undefined) await deps.sessions.end(by)
  return cookies !== undefined || families.length > 0
}

/** Revokes these families. Safe to repeat. @throws CommonError `service_unavailable` */
export async function revokeAll(
  { refreshTokens, clock }: Pick<EndGrantsDeps, 'refreshTokens' | 'clock'>,
  families: readonly string[],
): Promise<void> {
  const now = clock.now()
  await Promise.all(families.map((familyId) => refreshTokens.revokeFamily({ familyId, now })))
}
