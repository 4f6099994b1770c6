import type { OrganizationId, UserId } from '../core/ids.ts'
import { changeRoles } from './changeRoles.ts'
import type { Organizations } from './ports.ts'

/**
 * Takes the caller out of an organization. What the organization has bought stays as it is.
 * @throws OrganizationError `organization_not_found`, also for who has left already; `last_owner`
 */
export async function leaveOrganization(
  organizations: Pick<Organizations, 'read' | 'changeRoles'>,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<void> {
  const request = { organizationId, userId, memberId: userId, permission: 'leave' } as const
  await changeRoles(organizations, request, ({ role }) => [{ userId, from: role, to: null }])
}
