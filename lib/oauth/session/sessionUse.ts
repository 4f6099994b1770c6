import { type Authentication, afterPause, mayHavePaused } from '../../core/authentication.ts'
import type { Clock } from '../../core/clock.ts'
import type { UserSessions } from '../ports.ts'
import type { LiveSession } from './session.ts'

export interface SessionUseDeps {
  readonly userSessions: Pick<UserSessions, 'grantsIn'>
  readonly clock: Clock
}

/**
 * The sign-in of a browser's session that a client is about to get tokens in, with the longest pause in its use since. First-party clients
 * use the session; their use is noted to the hour, so a pause may be counted up to an hour too long, and never too short.
 * @throws CommonError `service_unavailable`
 */
export async function authenticationInUse(
  { userSessions, clock }: SessionUseDeps,
  { id, user, authentication }: Pick<LiveSession, 'id' | 'user' | 'authentication'>,
): Promise<Authentication> {
  const now = clock.now()
  if (!mayHavePaused(authentication, now)) return authentication
  const grants = await userSessions.grantsIn(user.id, id)
  const since = grants.filter(({ createdAt }) => createdAt >= authentication.at)
  const lastUsedAt = Math.max(authentication.at, ...since.map((grant) => grant.lastUsedAt))
  const noted = since.flatMap(({ idleSeconds = 0 }) => (idleSeconds > 0 ? [idleSeconds] : []))
  const longest = Math.max(0, authentication.idleSeconds ?? 0, ...noted)
  return afterPause(longest > 0 ? { ...authentication, idleSeconds: longest } : authentication, lastUsedAt, now)
}
