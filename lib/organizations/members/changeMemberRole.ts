import type { UserId } from '../../core/ids.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import type { Membership, Role } from '../ports.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Changes the role of a member, who may be the caller. Writes nothing if the role is the same or left out.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`; `member_deleting` if the account of a new owner is being
 *   deleted; `member_not_found` if the user is not a member, known or not
 */
export async function changeMemberRole(
  deps: RoleDeps,
  request: OrganizationRequest & { memberId: UserId; role?: Role | undefined },
): Promise<Membership> {
  const { memberId, role } = request
  const permission = 'manage organization'
  const { memberRole } = await changeRoles(deps, { ...request, permission }, ({ memberRole: from }) => {
    if (role === undefined || from === role) return null
    const changes = [{ userId: memberId, from, to: role }]
    return { changes, action: 'member.role_changed', target: memberId, detail: { from, to: role } }
  })
  return { userId: memberId, role: role ?? memberRole }
}
