import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toDomainResource } from '../../lib/organizations/domains/domainResource.ts'
import { verifyDomain } from '../../lib/organizations/domains/verifyDomain.ts'
import { verifyDomainDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = verifyDomainDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/domains/{domain_id}/verify: verifies a domain by its TXT record. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const domain = await verifyDomain(deps, { organizationId: path.organization_id, caller, id: path.domain_id })
  return { status: 200, body: toDomainResource(domain) }
})
