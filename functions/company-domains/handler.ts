import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toDomainResource } from '../../lib/organizations/domains/domainResource.ts'
import { listDomains } from '../../lib/organizations/domains/listDomains.ts'
import { domainDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = domainDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/domains: lists the domains of an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const domains = await listDomains(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: { domains: domains.map(toDomainResource), next_cursor: null } }
})
