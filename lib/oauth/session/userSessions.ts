import type { ActivityRecorder } from '../../core/activity.ts'
import type { Clock } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { SessionError } from '../errors.ts'
import type { RefreshTokens, Sessions, UserSessions } from '../ports.ts'
import type { SecretDigest } from '../secretDigest.ts'
import { liveSessions } from './listUserSessions.ts'

export interface EndGrantsDeps {
  readonly sessions: Sessions
  readonly userSessions: Pick<UserSessions, 'close' | 'families'>
  readonly refreshTokens: Pick<RefreshTokens, 'revokeFamily'>
  readonly activity: ActivityRecorder
  readonly clock: Clock
}

export interface EndUserSessionDeps extends EndGrantsDeps {
  readonly userSessions: EndGrantsDeps['userSessions'] & Pick<UserSessions, 'list'>
  readonly logger: Logger
}

/**
 * Ends a session in the caller's list. A browser's session ends with its cookie and all tokens that first-party clients got in it; another
 * client's session ends with its tokens. Safe to repeat, also after a failure.
 * @throws SessionError `session_not_found` if the list has no such session; CommonError `invalid_token`, `service_unavailable`
 */
export async function endUserSession(deps: EndUserSessionDeps, caller: Caller, sessionId: string): Promise<void> {
  const live = liveSessions(await deps.userSessions.list(caller), deps.clock.now())
  // Also if it is not listed: an earlier request may have failed before all of the session had ended.
  await closeSession(deps, caller.userId, sessionId)
  if (!live.some(({ id }) => id === sessionId)) throw new SessionError('session_not_found')
  await deps.activity.record(caller.userId, 'session_ended')
  deps.logger.info('Session ended', { sessionId })
}

/**
 * Ends a session of this user, if there is one, and notes it in the user's activity.
 * @param by the cookie of the request itself. It ends after all other cookies, so that the user can repeat the request when it has failed.
 * @throws CommonError `service_unavailable`
 */
export async function endListedSession(
  deps: EndGrantsDeps,
  userId: UserId,
  sessionId: string,
  by?: SecretDigest,
): Promise<void> {
  const found = await closeSession(deps, userId, sessionId, by)
  if (found) await deps.activity.record(userId, 'session_ended')
}

/** Ends a session with all that belongs to it. False if this user never had it. Safe to repeat. */
async function closeSession(
  deps: EndGrantsDeps,
  userId: UserId,
  sessionId: string,
  by?: SecretDigest,
): Promise<boolean> {
  // First, so that no family is added after the families are read. The cookies end last: if this fails, signing out again finds the session.
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
