import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles } from './changeRoles.ts'
import type { Organizations } from './ports.ts'

/**
 * Takes a member, who may be the caller, out of an organization. Somebody who is not in it is as good as taken out: safe to
 * repeat. Access ends with the write, for every request asks anew who is a member.
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
