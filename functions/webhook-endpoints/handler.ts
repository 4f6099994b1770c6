import { toEndpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import { listEndpoints } from '../../lib/events/endpoints/listEndpoints.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { endpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = endpointDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/webhook-endpoints: lists the webhook endpoints, without their secrets. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const found = await listEndpoints(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: { webhook_endpoints: found.map(toEndpointResource), next_cursor: null } }
})
