import { type AuditDeps, entryBy } from './auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

/**
 * Renames an organization. Writes nothing if the name is the same or left out.
 * @param request `name` validated by `organizationName`; `precondition` gets the current organization and throws to refuse
 * @throws OrganizationError `organization_not_found`, `forbidden`; what `precondition` throws
 */
export function renameOrganization(
  deps: AuditDeps & { organizations: Pick<Organizations, 'read' | 'rename'> },
  request: OrganizationRequest & {
    name?: string | undefined
    precondition?: ((own: OwnOrganization) => void) | undefined
  },
): Promise<OwnOrganization> {
  const { organizationId, caller, name, precondition } = request
  return retryOnConflict(async () => {
    const own = await readAuthorized(deps.organizations, request, 'manage organization')
    precondition?.(own)
    const from = own.organization.name
    if (name === undefined || from === name) return own
    const renamed = { action: 'organization.renamed', target: organizationId, detail: { from, to: name } } as const
    const entry = entryBy(deps, request, renamed)
    const outcome = await deps.organizations.rename(organizationId, { by: caller, from, to: name, entry })
    return outcome === 'written' ? { ...own, organization: { ...own.organization, name } } : outcome
  })
}
