import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import { OrganizationError } from './errors.ts'
import type { Permission } from './permissions.ts'
import type { MembershipView, Organizations, OwnOrganization, RoleChange } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

interface RoleRequest {
  organizationId: OrganizationId
  /** The caller. */
  userId: UserId
  /** The member whose role changes, who may be the caller. */
  memberId: UserId
  permission: Permission
}

/**
 * Writes the role changes that `decide` returns, only while what it decided on is current; decides again after a conflict. Writes
 * nothing without changes.
 * @returns the organization and the caller's role before the change
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`; what `decide` throws
 */
export function changeRoles(
  organizations: Pick<Organizations, 'read' | 'changeRoles'>,
  { organizationId, userId, memberId, permission }: RoleRequest,
  decide: (own: OwnOrganization, memberRole: ReturnType<MembershipView['roleOf']>) => readonly RoleChange[],
): Promise<OwnOrganization> {
  return retryOnConflict(async () => {
    const view = await organizations.read(organizationId, [userId, memberId])
    const own = authorizeMember(view, userId, permission)
    const changes = decide(own, view.roleOf(memberId))
    if (changes.length === 0) return own
    const outcome = await organizations.changeRoles(organizationId, { by: userId, changes })
    if (outcome === 'last_owner') throw new OrganizationError('last_owner')
    return outcome === 'written' ? own : outcome
  })
}
