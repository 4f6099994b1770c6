import type { UserId } from '../../core/ids.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import type { OwnOrganization, RoleChange } from '../ports.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Makes a member an owner and the caller a billing admin, in one transaction. A transfer to oneself changes nothing.
 * @returns the organization with the caller's new role
 * @throws OrganizationError `organization_not_found`, `forbidden`, `member_deleting`; `member_not_found` if the user is not a member
 */
export async function transferOrganization(
  deps: RoleDeps,
  request: OrganizationRequest & { memberId: UserId },
): Promise<OwnOrganization> {
  const { organizationId, caller, memberId } = request
  const { userId } = caller
  const toOneself = userId === memberId
  const permission = 'manage organization'
  const { own } = await changeRoles(deps, { ...request, permission }, ({ own: { role }, memberRole: from }) => {
    if (toOneself) return null
    const receive: readonly RoleChange[] = from === 'owner' ? [] : [{ userId: memberId, from, to: 'owner' }]
    const changes = [...receive, { userId, from: role, to: 'billing_admin' as const }]
    return { changes, action: 'organization.transferred', target: organizationId, detail: { to: memberId } }
  })
  return toOneself ? own : { ...own, role: 'billing_admin' }
}
