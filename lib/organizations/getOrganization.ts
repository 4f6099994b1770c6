import { type OrganizationRequest, requireMembership } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'

/**
 * Returns an organization with the caller's role in it.
 * @throws OrganizationError `organization_not_found`
 */
export async function getOrganization(
  organizations: Pick<Organizations, 'read'>,
  { organizationId, caller }: OrganizationRequest,
): Promise<OwnOrganization> {
  return requireMembership(await organizations.read(organizationId, caller), caller.userId)
}
