import { entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ChangeSignOnDeps, openSignOn } from './signOnDeps.ts'

/**
 * Deletes the single sign-on of an organization, and with it the requirement to use it.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `sso_not_found`, also if repeated; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export async function deleteSignOn(deps: ChangeSignOnDeps, request: OrganizationRequest): Promise<void> {
  const { organizationId, caller: by } = request
  await retryOnConflict(async () => {
    const { issuer } = await openSignOn(deps, request)
    const deleted = { action: 'sso.deleted', target: organizationId, detail: { issuer } } as const
    const outcome = await deps.signOns.remove(organizationId, { by, entry: entryBy(deps, request, deleted) })
    if (outcome === 'none') throw new OrganizationError('sso_not_found')
    return outcome
  })
}
