import { toRfc3339 } from '../../lib/core/clock.ts'
import { throttleOrganization } from '../../lib/organizations/admission/throttleOrganization.ts'
import type { Throttle } from '../../lib/organizations/ports.ts'
import { organizationOf, type Run, refused } from './command.ts'

/** How long a throttle lasts if the operator does not say. */
const DEFAULT_DURATION = '1h'
const MAX_DAYS = 30

const units = { m: 60, h: 3600, d: 86_400 } as const

/** `throttle ORGANIZATION --requests-per-minute N [--for 1h]`, or `--lift`: limits all requests to an organization together, for some time. */
export const throttle: Run = async ([organization], { dryRun, requestsPerMinute, for: duration, lift, connect }) => {
  const organizationId = organizationOf(organization)
  if (lift === (requestsPerMinute !== undefined)) throw new Error('throttle: --requests-per-minute N or --lift')
  if (lift && duration !== undefined) throw new Error('--for is of --requests-per-minute')
  const asked = lift ? null : { requestsPerMinute: countOf(requestsPerMinute), forSeconds: secondsOf(duration) }
  await connect()
  const { throttleDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const throttled = await throttleOrganization(await throttleDepsFromEnvironment(), organizationId, asked, { dryRun })
  switch (throttled.kind) {
    case 'refused':
      return refused('throttle', throttled.why)
    case 'unchanged':
      console.log('throttle: nothing to do, the organization is not throttled')
      return 0
    case 'done': {
      const verb = dryRun ? 'would be' : 'was'
      console.log(`throttle: the organization ${verb} changed: ${text(throttled.before)} -> ${text(throttled.to)}`)
      return 0
    }
  }
}

function text(limit: Throttle | null): string {
  return limit === null
    ? 'not throttled'
    : `${limit.requestsPerMinute} requests a minute until ${toRfc3339(limit.until)}`
}

function countOf(written: string | undefined): number {
  const count = /^\d{1,6}$/.test(written ?? '') ? Number(written) : 0
  if (count < 1) throw new Error('N of --requests-per-minute is a number from 1 to 999999')
  return count
}

function secondsOf(written = DEFAULT_DURATION): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(written) ?? []
  const seconds = Number(count) * (units[unit as keyof typeof units] ?? Number.NaN)
  if (!(seconds > 0 && seconds <= MAX_DAYS * units.d))
    throw new Error('--for is a time like 30m, 1h or 7d: 30 days at most')
  return seconds
}
