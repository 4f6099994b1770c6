import type { ActivityRecorder, RequestOrigin } from '../../core/activity.ts'
import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { Ids } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { NameBrowser } from '../../signIn/ports.ts'
import type { ActivityLog } from './ports.ts'

interface RecordDeps {
  readonly activityLog: Pick<ActivityLog, 'add'>
  /** Where the request comes from that the running code works for; undefined for an operator's command. */
  readonly origin: () => RequestOrigin | undefined
  readonly nameBrowser: NameBrowser
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
}

/** An `ActivityRecorder` that adds each entry to the activity log, with the browser, the country and the network of its request. */
export function createActivityRecorder({
  activityLog,
  origin,
  nameBrowser,
  ids,
  clock,
  logger,
}: RecordDeps): ActivityRecorder {
  return {
    async record(userId, type) {
      try {
        const { userAgent, country, sourceIp } = origin() ?? {}
        const browser = await nameBrowser(userAgent)
        await activityLog.add(userId, { id: ids.uuid(), at: clock.now(), type, browser, country, sourceIp })
      } catch (error) {
        logger.error('Activity not recorded', { type, reason: reasonOf(error) })
      }
    },
  }
}
