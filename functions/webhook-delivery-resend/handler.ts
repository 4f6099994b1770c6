import { toDeliveryResource } from '../../lib/events/endpoints/deliveryResource.ts'
import { resendDelivery } from '../../lib/events/endpoints/resendDelivery.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deliveriesDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = deliveriesDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend: sends an event again. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const { organization_id: organizationId, endpoint_id: id, delivery_id: deliveryId } = path
  const delivery = await resendDelivery(deps, { organizationId, caller, id, deliveryId })
  return { status: 202, body: toDeliveryResource(delivery) }
})
