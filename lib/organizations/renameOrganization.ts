import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

/**
 * Renames an organization. Writes nothing for the current name.
 * @param request `name` validated by `organizationName`
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export function renameOrganization(
  organizations: Pick<Organizations, 'read' | 'rename'>,
  request: { organizationId: OrganizationId; userId: UserId; name: string },
): Promise<OwnOrganization> {
  const { organizationId, userId, name } = request
  return retryOnConflict(async () => {
    const view = await organizations.read(organizationId, [userId])
    const own = authorizeMember(view, userId, 'manage organization')
    if (own.organization.name === name) return own
    const outcome = await organizations.rename(organizationId, { by: userId, name })
    return outcome === 'written' ? { ...own, organization: { ...own.organization, name } } : outcome
  })
}
