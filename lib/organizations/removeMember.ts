import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles } from './changeRoles.ts'
import type { Organizations } from './ports.ts'

/**
 * Removes a member, who may be the caller, from an organization. Does nothing for a user who is not a member: safe to repeat.
 * Access ends with the write, because every request reads the membership.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`
 */
export async function removeMember(
  organizations: Pick<Organizations, 'read' | 'changeRoles'>,
  request: { organizationId: OrganizationId; userId: UserId; memberId: UserId },
): Promise<void> {
  await changeRoles(organizations, { ...request, permission: 'manage organization' }, (_, from) =>
    from === undefined ? [] : [{ userId: request.memberId, from, to: null }],
  )
}
