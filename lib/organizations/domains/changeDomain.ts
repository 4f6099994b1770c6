import { entryBy } from '../auditEntry.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ChangeDomainDeps, type DomainRequest, openDomain } from './domainDeps.ts'
import type { Domain, DomainMembership } from './ports.ts'

/**
 * Changes what a domain does for people with an address there. Writes nothing if that stays the same, or is left out.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `domain_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export function changeDomain(
  deps: ChangeDomainDeps,
  request: DomainRequest & { readonly membership: DomainMembership | undefined },
): Promise<Domain> {
  const { caller: by, membership } = request
  return retryOnConflict(async () => {
    const domain = await openDomain(deps, request)
    if (membership === undefined || membership === domain.membership) return domain
    const detail = { domain: domain.name, membership }
    const changed = { action: 'domain.membership_changed', target: domain.id, detail } as const
    const outcome = await deps.domains.setMembership(domain, membership, { by, entry: entryBy(deps, request, changed) })
    return outcome === 'written' ? { ...domain, membership } : outcome
  })
}
