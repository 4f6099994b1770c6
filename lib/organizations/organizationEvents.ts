import type { OrganizationId, UserId } from '../core/ids.ts'
import { type EventData, type EventDraft, eventIdOf } from '../events/event.ts'
import type { FactType } from '../events/eventTypes.ts'
import { toOrganizationResource } from './organizationResource.ts'
import type { AuditEntry, Membership, Organization, RoleChange } from './ports.ts'

/** The audit entry that is written with a fact. Its id distinguishes two changes of the same member. */
export type Cause = Pick<AuditEntry, 'id' | 'at'>

/** The event of a member who joins. An organization's first owner is announced with the organization. */
export function memberAddedEvent(organizationId: OrganizationId, member: Membership, cause: Cause): EventDraft {
  return memberEvent('member.added', organizationId, member, cause)
}

/** The event of a role that changes, with the new role, or of a member who leaves, with the last role. */
export function roleEvent(organizationId: OrganizationId, { userId, from, to }: RoleChange, cause: Cause): EventDraft {
  return to === null
    ? memberEvent('member.removed', organizationId, { userId, role: from }, cause)
    : memberEvent('member.role_changed', organizationId, { userId, role: to }, cause)
}

/** Names and addresses stay out: events are kept, and an erasure must not leave them behind. */
function memberEvent(
  type: FactType,
  organizationId: OrganizationId,
  { userId, role }: Membership,
  { id, at }: Cause,
): EventDraft {
  const about = { subject: `member:${userId}`, fact: `${userId} ${id}` }
  return draft(type, organizationId, { ...about, at, data: { user_id: userId, role } })
}

export function createdEvent(organization: Organization, { at }: Cause): EventDraft {
  const { role: _, ...data } = toOrganizationResource({ organization, role: 'owner' })
  return draft('organization.created', organization.id, { subject: 'organization', fact: 'created', at, data })
}

/** The event of an erasure that is done. */
export function organizationDeletedEvent(organizationId: OrganizationId, { at }: Cause): EventDraft {
  const about = { subject: 'organization', fact: 'deleted' }
  return draft('organization.deleted', organizationId, { ...about, at, data: { id: organizationId } })
}

/** The event of a user's erasure, for an organization that they were a member of. */
export function userDeletedEvent(organizationId: OrganizationId, userId: UserId, at: number): EventDraft {
  return draft('user.deleted', organizationId, { subject: `user:${userId}`, fact: userId, at, data: { id: userId } })
}

/** A membership has no revision: its changes follow their times. Each is decided after the one before it is stored. */
function draft(
  type: FactType,
  organizationId: OrganizationId,
  { subject, fact, at, data }: { subject: string; fact: string; at: number; data: EventData },
): EventDraft {
  return { organizationId, id: eventIdOf(type, organizationId, fact), type, at, subject, revision: at, data }
}
