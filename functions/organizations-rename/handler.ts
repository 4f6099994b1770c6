import { etagOf, ifMatch } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { renameOrganization } from '../../lib/organizations/renameOrganization.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** PATCH /api/organizations/{organization_id}: renames an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, headers, body }) => {
  const own = await renameOrganization(deps, {
    organizationId: path.organization_id,
    caller,
    name: body.name,
    precondition: ifMatch(headers, toOrganizationResource),
  })
  const resource = toOrganizationResource(own)
  return { status: 200, body: resource, headers: { etag: etagOf(resource) } }
})
