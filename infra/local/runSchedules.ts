import { randomUUID } from 'node:crypto'
import type { ScheduledEvent } from 'aws-lambda'
import { type Clock, toRfc3339 } from '../../lib/core/clock.ts'
import { type FunctionRow, manifest } from '../manifest.ts'
import { invokeFunction } from './invokeFunction.ts'
import type { RequestLog } from './requestLog.ts'
import type { Closable } from './resourceScope.ts'

const rows: readonly FunctionRow[] = manifest

/** How often the clock is looked at, in real milliseconds: it may be advanced at any time. */
const LOOK_EVERY = 1000
const MINUTE = 60_000

/**
 * Runs the functions of every minute by the service's clock: advanced by an hour, they run once, one or two seconds after, so
 * that whoever advanced it acts first. What runs once a day on AWS is run by hand here: it would change what somebody is
 * looking at.
 */
export function runSchedules({ clock, log }: { clock: Clock; log: RequestLog }): Closable {
  const everyMinute = rows.filter(({ trigger }) => trigger.kind === 'schedule' && trigger.every === 'minute')
  let lastRun = clock.now()
  let wasDue = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await clock.sync()
    const now = clock.now()
    const due = now - lastRun >= MINUTE
    if (due && wasDue) {
      lastRun = now
      for (const row of everyMinute) {
        await invokeFunction(row, scheduledEvent(row, now)).catch((error) => log.failed('SCHEDULE', row.name, error))
      }
    }
    wasDue = due && !wasDue
  }
  const timer = setInterval(() => {
    // A clock that is away is tried again; requests say so with 503 meanwhile.
    running ??= run()
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
  }, LOOK_EVERY)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

/** EventBridge's event of a schedule. */
function scheduledEvent({ name }: FunctionRow, now: number): ScheduledEvent {
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
