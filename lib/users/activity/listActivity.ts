import type { Clock } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import type { Callers } from '../ports.ts'
import type { ActivityLog, ActivityPage } from './ports.ts'

export interface ListActivityDeps {
  readonly callers: Callers
  readonly activityLog: Pick<ActivityLog, 'list'>
  readonly clock: Clock
}

/**
 * A page of what happened to the caller's account in the last 90 days, newest first.
 * @param page `from`: the `next` of the previous page
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listActivity(
  { callers, activityLog, clock }: ListActivityDeps,
  caller: Caller,
  page: { limit: number; from: string | undefined },
): Promise<ActivityPage> {
  const [, found] = await Promise.all([
    callers.requireLive(caller),
    activityLog.list(caller.userId, { ...page, now: clock.now() }),
  ])
  return found
}
