import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import { OrganizationError } from './errors.ts'
import type { Permission } from './permissions.ts'
import type { MembershipView, Organizations, OwnOrganization, RoleChange } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

/** Who acts on whom, and where. */
export interface RoleRequest {
  organizationId: OrganizationId
  /** The caller. */
  userId: UserId
  /** Whose role it is about: another member, or the caller. */
  memberId: UserId
  permission: Permission
}

/**
 * Changes roles as `decide` says, whatever else happens to the organization at that moment: what it decides is written only
 * while it still holds. Without a change nothing is written.
 * @returns the organization and the caller's role before the change
 * @throws OrganizationError `organization_not_found`, `forbidden`, `last_owner`, and what `decide` throws
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
