import type { Ids } from '../../core/ids.ts'
import { entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ChangeDomainDeps, requireLivingOrganization } from './domainDeps.ts'
import type { Domain } from './ports.ts'

export interface AddDomainDeps extends ChangeDomainDeps {
  readonly ids: Pick<Ids, 'uuid' | 'secret'>
}

/**
 * Adds a domain, with a proof of its own. If the organization has it already, returns it as it is. Others learn nothing of it.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `organization_deleting`, `too_many_domains`; CommonError `invalid_token`,
 *   `service_unavailable`
 */
export function addDomain(
  deps: AddDomainDeps,
  request: OrganizationRequest & { readonly name: string },
): Promise<Domain> {
  const { organizationId, caller: by, name } = request
  return retryOnConflict(async () => {
    await requireLivingOrganization(deps, request)
    const id = deps.ids.uuid()
    const proof = `domain-proof=${deps.ids.secret()}`
    const pending = { organizationId, id, name, status: 'pending', proof, membership: 'none' } as const
    const domain: Domain = { ...pending, createdAt: deps.clock.now() }
    const added = { action: 'domain.added', target: id, detail: { domain: name } } as const
    const outcome = await deps.domains.add(domain, { by, entry: entryBy(deps, request, added) })
    if (outcome === 'too_many') throw new OrganizationError('too_many_domains')
    if (outcome === 'written') return domain
    const stored = outcome === 'exists' ? await deps.domains.list(organizationId) : []
    return stored.find((each) => each.name === name) ?? 'conflict'
  })
}
