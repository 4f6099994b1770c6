import { rotateEndpointSecret } from '../../lib/events/endpoints/rotateEndpointSecret.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { createEndpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = createEndpointDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/rotate-secret: gives a webhook endpoint a new secret beside the old secret. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const secret = await rotateEndpointSecret(deps, {
    organizationId: path.organization_id,
    caller,
    id: path.endpoint_id,
  })
  return { status: 200, body: { secret } }
})
