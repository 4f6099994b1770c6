import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles } from './changeRoles.ts'
import { OrganizationError } from './errors.ts'
import type { Organizations, OwnOrganization, RoleChange } from './ports.ts'

/**
 * Makes a member an owner and the caller a billing admin, in one transaction. A transfer to oneself changes nothing.
 * @returns the organization with the caller's new role
 * @throws OrganizationError `organization_not_found`, `forbidden`; `member_not_found` for a user who is not a member
 */
export async function transferOrganization(
  organizations: Pick<Organizations, 'read' | 'changeRoles'>,
  request: { organizationId: OrganizationId; userId: UserId; memberId: UserId },
): Promise<OwnOrganization> {
  const { userId, memberId } = request
  const toOneself = userId === memberId
  const own = await changeRoles(organizations, { ...request, permission: 'manage organization' }, ({ role }, from) => {
    if (from === undefined) throw new OrganizationError('member_not_found')
    if (toOneself) return []
    const receive: readonly RoleChange[] = from === 'owner' ? [] : [{ userId: memberId, from, to: 'owner' }]
    return [...receive, { userId, from: role, to: 'billing_admin' }]
  })
  return toOneself ? own : { ...own, role: 'billing_admin' }
}
