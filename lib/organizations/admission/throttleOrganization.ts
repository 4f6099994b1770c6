import { type Clock, toRfc3339 } from '../../core/clock.ts'
import type { Ids, OrganizationId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { AuditChange, AuditEntry, OrganizationThrottles, Throttle } from '../ports.ts'

export interface ThrottleDeps {
  readonly throttles: OrganizationThrottles
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
  readonly logger: Logger
}

/** What came of the command; `before` is what it replaces, if that has not ended. */
type Throttled =
  | { readonly kind: 'done' | 'unchanged'; readonly before: Throttle | null; readonly to: Throttle | null }
  | { readonly kind: 'refused'; readonly why: string }

/**
 * Limits the requests of an organization, by an operator's decision, for some time; or lifts the limit, with null. The limit is part of the
 * organization's record, which every request to it reads anyway. It has an entry in the audit log.
 * @throws CommonError `service_unavailable`: then it may be done
 */
export async function throttleOrganization(
  { throttles, ids, clock, logger }: ThrottleDeps,
  organizationId: OrganizationId,
  asked: { requestsPerMinute: number; forSeconds: number } | null,
  { dryRun }: { dryRun: boolean },
): Promise<Throttled> {
  const organization = await throttles.find(organizationId)
  if (organization === undefined) return { kind: 'refused', why: 'there is no such organization' }
  const now = clock.now()
  const { throttle } = organization
  const before = throttle !== undefined && throttle.until > now ? throttle : null
  const to = asked && { requestsPerMinute: asked.requestsPerMinute, until: now + asked.forSeconds * 1000 }
  if (to === null && before === null) return { kind: 'unchanged', before, to }
  if (!dryRun) {
    const entry = { organizationId, id: ids.uuid(), at: now, ...changeTo(to, organizationId) }
    const outcome = await throttles.set(organizationId, to, entry)
    if (outcome === 'conflict') return { kind: 'refused', why: 'the organization was changed meanwhile: look again' }
    const requestsPerMinute = to?.requestsPerMinute
    logger.warn('Organization throttled by an operator', { organizationId, requestsPerMinute })
  }
  return { kind: 'done', before, to }
}

function changeTo(to: Throttle | null, target: string): AuditChange & Pick<AuditEntry, 'actor'> {
  const actor = { type: 'operator', id: null } as const
  if (to === null) return { actor, action: 'organization.throttle_lifted', target, detail: {} }
  const detail = { requests_per_minute: to.requestsPerMinute, until: toRfc3339(to.until) }
  return { actor, action: 'organization.throttled', target, detail }
}
