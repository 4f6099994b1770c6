import { randomUUID } from 'node:crypto'
import type { ScheduledEvent } from 'aws-lambda'
import { type Clock, toRfc3339 } from '../../lib/core/clock.ts'
import { type FunctionRow, manifest } from '../manifest.ts'
import type { RequestLog } from './http/requestLog.ts'
import type { invokeFunction } from './invokeFunction.ts'
import type { Closable } from './resourceScope.ts'

const rows: readonly FunctionRow[] = manifest

/** In real milliseconds, because someone may advance the service's clock at any time. */
const POLL_INTERVAL_MS = 1000
/** By the service's clock. */
const periods = { minute: 60_000, day: 24 * 60 * 60_000 } as const

interface ScheduleOptions {
  readonly clock: Clock
  readonly log: RequestLog
  /** Runs a function. */
  readonly invoke: typeof invokeFunction
}

/**
 * Runs the functions scheduled every minute or every day, by the service's clock. When the clock advances, by any length, they run once,
 * after 1 to 2 seconds, so that a test can act first. Does not run the reconciliation, which would change records during a session.
 */
export function runSchedules({ clock, log, invoke }: ScheduleOptions): Closable {
  const schedules = rows.flatMap((row) => {
    const { trigger } = row
    if (trigger.kind !== 'schedule' || trigger.every === '15 minutes') return []
    return [{ row, period: periods[trigger.every], lastRun: clock.now(), wasDue: false }]
  })
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await clock.sync()
    const now = clock.now()
    for (const schedule of schedules) {
      // The clock has been set back.
      schedule.lastRun = Math.min(schedule.lastRun, now)
      const { row, wasDue } = schedule
      const due = now - schedule.lastRun >= schedule.period
      schedule.wasDue = due && !wasDue
      if (!due || !wasDue) continue
      schedule.lastRun = now
      await invoke(row, scheduledEvent(row, now)).catch((error) => log.failed('SCHEDULE', row.name, error))
    }
  }
  const timer = setInterval(() => {
    // If the clock does not answer, the next poll asks again. Until then requests answer 503.
    running ??= run()
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
  }, POLL_INTERVAL_MS)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/** EventBridge's event of a schedule. */
export function scheduledEvent({ name }: FunctionRow, now: number): ScheduledEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: toRfc3339(now),
    region: 'us-east-1',
    resources: [`arn:aws:events:us-east-1:000000000000:rule/${name}`],
    detail: {},
  }
}
