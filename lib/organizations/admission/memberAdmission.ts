import type { Clock } from '../../core/clock.ts'
import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type FunctionRateLimit, THROTTLE_COUNT } from '../../core/rateLimits.ts'
import type { CallerFacts, Throttle } from '../ports.ts'
import { type RuledOrganization, requireRulesMet } from './requireRulesMet.ts'

/** @property admit counts a request in the current window of the limit; throws if the window is full */
export interface MemberAdmissionDeps {
  readonly clock: Clock
  admit(limit: FunctionRateLimit, organizationId: OrganizationId): Promise<void>
}

/** What a request's read says of the organization. */
interface ReadForMember extends RuledOrganization, CallerFacts {
  readonly throttle?: Throttle | undefined
  /** Whether the caller is a member, an API client of the organization or a service client. */
  readonly isMember: boolean
}

/**
 * Refuses members whose sign-in breaks a rule of the organization, at each read. Counts the other requests while an operator throttles the
 * organization: once for each request, however often the request reads. Strangers are neither refused nor counted here, so they cannot use the
 * limit up, and learn nothing. If requests cannot be counted, they are served.
 */
export function createMemberAdmission({ clock, admit }: MemberAdmissionDeps) {
  const admissions = new WeakMap<AnyCaller, Promise<void>>()

  /** @throws as `requireRulesMet`; what `admit` throws */
  return async function admitMember(caller: AnyCaller, read: ReadForMember): Promise<void> {
    if (!read.isMember) return
    requireRulesMet(read, caller, { ...read, now: clock.now() })
    const { organizationId, throttle } = read
    if (throttle === undefined || throttle.until <= clock.now()) return
    const { requestsPerMinute: requests } = throttle
    const limit = { functionName: THROTTLE_COUNT, requests, windowSeconds: 60, failMode: 'open' } as const
    const admission = admissions.get(caller) ?? admit(limit, organizationId)
    admissions.set(caller, admission)
    await admission
  }
}
