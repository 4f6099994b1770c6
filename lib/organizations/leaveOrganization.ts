import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Removes the caller from an organization. Its subscriptions are unaffected.
 * @throws OrganizationError `organization_not_found`, also after the caller has left; `last_owner`
 */
export async function leaveOrganization(
  deps: RoleDeps,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<void> {
  const request = { organizationId, userId, memberId: userId, permission: 'leave' } as const
  await changeRoles(deps, request, ({ role }) => ({
    changes: [{ userId, from: role, to: null }],
    action: 'member.left',
    target: userId,
    detail: { role },
  }))
}
