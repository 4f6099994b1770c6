import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { addDomain } from '../../lib/organizations/domains/addDomain.ts'
import { toDomainResource } from '../../lib/organizations/domains/domainResource.ts'
import { changeDomainDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = changeDomainDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/domains: adds a domain. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const domain = await addDomain(deps, { organizationId: path.organization_id, caller, name: body.domain })
  return { status: 201, body: toDomainResource(domain) }
})
