import { type AuditDeps, entryBy } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Organizations, OwnOrganization } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import type { OrganizationDeletions } from './ports.ts'

export interface RestoreOrganizationDeps extends AuditDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly deletions: Pick<OrganizationDeletions, 'restore'>
}

/**
 * Restores an organization that is being deleted; otherwise changes nothing.
 * @throws OrganizationError `organization_not_found`, `forbidden`; `organization_deleting` if the erasure has begun
 */
export function restoreOrganization(
  deps: RestoreOrganizationDeps,
  request: OrganizationRequest,
): Promise<OwnOrganization> {
  const { organizationId, caller } = request
  return retryOnConflict(async () => {
    const own = await readAuthorized(deps.organizations, request, 'manage organization')
    const { deletion, ...organization } = own.organization
    if (deletion === undefined) return own
    if (deletion.erasingSince !== undefined) throw new OrganizationError('organization_deleting')
    const restored = { action: 'organization.restored', target: organizationId, detail: {} } as const
    const entry = entryBy(deps, request, restored)
    const outcome = await deps.deletions.restore(organizationId, { by: caller, deletion, entry })
    return outcome === 'written' ? { ...own, organization } : outcome
  })
}
