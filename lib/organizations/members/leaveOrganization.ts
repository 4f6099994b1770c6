import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { changeRoles, type RoleDeps } from './changeRoles.ts'

/**
 * Removes the caller from an organization. Its subscriptions are unaffected.
 * @throws OrganizationError `organization_not_found`, also if the caller has already left; `last_owner`
 */
export async function leaveOrganization(
  deps: RoleDeps,
  { organizationId, caller }: { organizationId: OrganizationId; caller: Caller },
): Promise<void> {
  const { userId } = caller
  const request = { organizationId, caller, memberId: userId, permission: 'leave' } as const
  await changeRoles(deps, request, ({ role }) => ({
    changes: [{ userId, from: role, to: null }],
    action: 'member.left',
    target: userId,
    detail: { role },
  }))
}
