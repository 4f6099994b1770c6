import { protectedEndpoint } from '../../lib/http/endpoint.ts'
import { etagOf } from '../../lib/http/etag.ts'
import { createOrganization } from '../../lib/organizations/createOrganization.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** POST /api/organizations: creates an organization, owned by the caller. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ identity, body }) => {
  const own = await createOrganization(deps, {
    userId: identity.userId,
    name: body.name,
    idempotencyKey: body.idempotency_key,
  })
  const resource = toOrganizationResource(own)
  return {
    status: 201,
    body: resource,
    headers: { location: `/api/organizations/${resource.id}`, etag: etagOf(resource) },
  }
})
