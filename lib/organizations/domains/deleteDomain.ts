import { entryBy } from '../auditEntry.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ChangeDomainDeps, type DomainRequest, openDomain } from './domainDeps.ts'

/**
 * Deletes a domain; another organization can then verify it. Members stay members.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `domain_not_found`, also if repeated; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export async function deleteDomain(deps: ChangeDomainDeps, request: DomainRequest): Promise<void> {
  const { caller: by } = request
  await retryOnConflict(async () => {
    const domain = await openDomain(deps, request)
    const deleted = { action: 'domain.deleted', target: domain.id, detail: { domain: domain.name } } as const
    return deps.domains.delete(domain, { by, entry: entryBy(deps, request, deleted) })
  })
}
