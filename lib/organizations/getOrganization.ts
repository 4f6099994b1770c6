import type { OrganizationId, UserId } from '../core/ids.ts'
import { requireMembership } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'

/**
 * An organization, with the caller's role in it.
 * @throws OrganizationError `organization_not_found`
 */
export async function getOrganization(
  organizations: Pick<Organizations, 'read'>,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<OwnOrganization> {
  return requireMembership(await organizations.read(organizationId, [userId]), userId)
}
