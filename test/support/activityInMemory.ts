import type { ActivityRecorder, ActivityType } from '../../lib/core/activity.ts'
import type { UserId } from '../../lib/core/ids.ts'

/** An `ActivityRecorder` that keeps what it is told, in order. */
export function createActivityInMemory() {
  const recorded: { userId: UserId; type: ActivityType }[] = []
  const activity: ActivityRecorder = {
    async record(userId, type) {
      recorded.push({ userId, type })
    },
  }
  return { activity, recorded }
}
