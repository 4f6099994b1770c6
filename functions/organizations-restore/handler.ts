import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { restoreOrganization } from '../../lib/organizations/deletion/restoreOrganization.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { restoreOrganizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = restoreOrganizationDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/restore: takes the deletion of the organization back. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const own = await restoreOrganization(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: toOrganizationResource(own) }
})
