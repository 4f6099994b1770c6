import type { OrganizationRequest } from '../authorizeMember.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Removes the caller from an organization. Its subscriptions are unaffected.
 * @throws OrganizationError `organization_not_found`, also if the caller has already left; `last_owner`
 */
export async function leaveOrganization(deps: RoleDeps, request: OrganizationRequest): Promise<void> {
  const { userId } = request.caller
  await changeRoles(deps, { ...request, memberId: userId, permission: 'leave' }, ({ memberRole: role }) => ({
    changes: [{ userId, from: role, to: null }],
    action: 'member.left',
    target: userId,
    detail: { role },
  }))
}
