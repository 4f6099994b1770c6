import type { UserId } from '../../core/ids.ts'
import type { UserSessions } from '../ports.ts'
import { type LiveSession, readSession, type SessionDeps } from './session.ts'

export interface BrowserFamilyDeps extends Omit<SessionDeps, 'ids'> {
  readonly userSessions: Pick<UserSessions, 'families'>
}

/**
 * Whether the browser with this cookie is signed in with the session in which a first-party client got the family of tokens.
 * @throws CommonError `service_unavailable`
 */
export async function browserHoldsFamily(
  deps: BrowserFamilyDeps,
  { secret, userId, familyId }: { readonly secret: string; readonly userId: UserId; readonly familyId: string },
): Promise<boolean> {
  const session = await readSession(deps, secret)
  return session !== undefined && sessionHoldsFamily(deps, session, { userId, familyId })
}

/**
 * Whether a first-party client got the family of tokens in this session, even if the family has been revoked since.
 * @throws CommonError `service_unavailable`
 */
export async function sessionHoldsFamily(
  { userSessions }: Pick<BrowserFamilyDeps, 'userSessions'>,
  { id, user }: LiveSession,
  { userId, familyId }: { readonly userId: UserId; readonly familyId: string },
): Promise<boolean> {
  if (user.id !== userId) return false
  return (await userSessions.families(userId, { sessionId: id })).includes(familyId)
}
