import { toDeliveryResource } from '../../lib/events/endpoints/deliveryResource.ts'
import { testEndpoint } from '../../lib/events/endpoints/testEndpoint.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deliveriesDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = deliveriesDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/test: sends an event `endpoint.test`. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const delivery = await testEndpoint(deps, { organizationId: path.organization_id, caller, id: path.endpoint_id })
  return { status: 202, body: toDeliveryResource(delivery) }
})
