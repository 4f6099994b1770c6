import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

/**
 * Renames an organization. Writes nothing for the current name.
 * @param request `name` validated by `organizationName`; `precondition` is asked of what is replaced, and throws to refuse
 * @throws OrganizationError `organization_not_found`, `forbidden`; what `precondition` throws
 */
export function renameOrganization(
  organizations: Pick<Organizations, 'read' | 'rename'>,
  request: {
    organizationId: OrganizationId
    userId: UserId
    name: string
    precondition?: ((own: OwnOrganization) => void) | undefined
  },
): Promise<OwnOrganization> {
  const { organizationId, userId, name, precondition } = request
  return retryOnConflict(async () => {
    const view = await organizations.read(organizationId, [userId])
    const own = authorizeMember(view, userId, 'manage organization')
    precondition?.(own)
    if (own.organization.name === name) return own
    const from = precondition && own.organization.name
    const outcome = await organizations.rename(organizationId, { by: userId, name, from })
    return outcome === 'written' ? { ...own, organization: { ...own.organization, name } } : outcome
  })
}
