import type { Clock } from '../../core/clock.ts'
import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type FunctionRateLimit, THROTTLE_COUNT } from '../../core/rateLimits.ts'
import type { Throttle } from '../ports.ts'

/** @property admit counts a request in the current window of the limit; throws if the window is full */
export interface MemberAdmissionDeps {
  readonly clock: Clock
  admit(limit: FunctionRateLimit, organizationId: OrganizationId): Promise<void>
}

/** What a request's read says of the organization. */
interface ReadForMember {
  readonly organizationId: OrganizationId
  readonly throttle: Throttle | undefined
  /** Whether the caller is a member, an API client of the organization or a service client. */
  readonly isMember: boolean
}

/**
 * Counts the requests to an organization while an operator throttles it: once for each request, however often the request reads. Strangers are
 * not counted, so they cannot use the limit up, and learn nothing. If requests cannot be counted, they are served.
 */
export function createMemberAdmission({ clock, admit }: MemberAdmissionDeps) {
  const admissions = new WeakMap<AnyCaller, Promise<void>>()

  /** @throws what `admit` throws */
  return async function admitMember(
    caller: AnyCaller,
    { organizationId, throttle, isMember }: ReadForMember,
  ): Promise<void> {
    if (throttle === undefined || !isMember || throttle.until <= clock.now()) return
    const { requestsPerMinute: requests } = throttle
    const limit = { functionName: THROTTLE_COUNT, requests, windowSeconds: 60, failMode: 'open' } as const
    const admission = admissions.get(caller) ?? admit(limit, organizationId)
    admissions.set(caller, admission)
    await admission
  }
}
