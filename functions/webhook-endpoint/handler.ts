import { openEndpoint } from '../../lib/events/endpoints/endpointDeps.ts'
import { toEndpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { endpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = endpointDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}: a webhook endpoint, without its secret. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const endpoint = await openEndpoint(deps, { organizationId: path.organization_id, caller, id: path.endpoint_id })
  return { status: 200, body: toEndpointResource(endpoint) }
})
