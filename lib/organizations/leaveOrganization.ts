import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles } from './changeRoles.ts'
import type { Organizations } from './ports.ts'

/**
 * Removes the caller from an organization. Its subscriptions are unaffected.
 * @throws OrganizationError `organization_not_found`, also after the caller has left; `last_owner`
 */
export async function leaveOrganization(
  organizations: Pick<Organizations, 'read' | 'changeRoles'>,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<void> {
  const request = { organizationId, userId, memberId: userId, permission: 'leave' } as const
  await changeRoles(organizations, request, ({ role }) => [{ userId, from: role, to: null }])
}
