import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deleteDomain } from '../../lib/organizations/domains/deleteDomain.ts'
import { changeDomainDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = changeDomainDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/domains/{domain_id}: deletes a domain. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await deleteDomain(deps, { organizationId: path.organization_id, caller, id: path.domain_id })
  return { status: 204, body: undefined }
})
