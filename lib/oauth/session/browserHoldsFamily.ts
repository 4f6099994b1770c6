import type { UserId } from '../../core/ids.ts'
import type { UserSessions } from '../ports.ts'
import { readSession, type SessionDeps } from './session.ts'

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
  if (session?.user.id !== userId) return false
  return (await deps.userSessions.families(userId, { sessionId: session.id })).includes(familyId)
}
