import type { Caller } from '../../core/identity.ts'
import type { UserSessions } from '../ports.ts'
import { liveSessions } from './listUserSessions.ts'
import { type EndGrantsDeps, endListedSession } from './userSessions.ts'

export interface EndEarlierSessionsDeps extends EndGrantsDeps {
  readonly userSessions: EndGrantsDeps['userSessions'] & Pick<UserSessions, 'list'>
}

/**
 * Ends the caller's sessions that began before a moment, with what clients got in them. Safe to repeat, also after a failure.
 * @param only `before`: Unix milliseconds. `except`: the id of the session that stays
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function endEarlierSessions(
  deps: EndEarlierSessionsDeps,
  caller: Caller,
  { before, except }: { readonly before: number; readonly except: string },
): Promise<void> {
  const live = liveSessions(await deps.userSessions.list(caller), deps.clock.now())
  const earlier = live.filter(({ id, createdAt }) => id !== except && createdAt < before)
  for (const { id } of earlier) await endListedSession(deps, caller.userId, id)
}
