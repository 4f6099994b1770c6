import type { UserId } from '../../core/ids.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Removes a member, who may be the caller, from an organization. Access ends with the write, because every request reads the membership.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `member_not_found`, `last_owner`
 */
export async function removeMember(deps: RoleDeps, request: OrganizationRequest & { memberId: UserId }): Promise<void> {
  const { caller, memberId } = request
  const action = caller.userId === memberId ? 'member.left' : 'member.removed'
  await changeRoles(deps, { ...request, permission: 'manage organization' }, ({ memberRole: from }) => ({
    changes: [{ userId: memberId, from, to: null }],
    action,
    target: memberId,
    detail: { role: from },
  }))
}
