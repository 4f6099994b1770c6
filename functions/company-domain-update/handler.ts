import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { changeDomain } from '../../lib/organizations/domains/changeDomain.ts'
import { toDomainResource } from '../../lib/organizations/domains/domainResource.ts'
import { changeDomainDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = changeDomainDepsFromEnvironment()

/** PATCH /api/organizations/{organization_id}/domains/{domain_id}: changes what a domain does for people with an address there. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const request = { organizationId: path.organization_id, caller, id: path.domain_id }
  const domain = await changeDomain(deps, { ...request, membership: body.membership })
  return { status: 200, body: toDomainResource(domain) }
})
