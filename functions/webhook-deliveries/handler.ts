import { toDeliveryResource } from '../../lib/events/endpoints/deliveryResource.ts'
import { listDeliveries } from '../../lib/events/endpoints/listDeliveries.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { deliveriesDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = deliveriesDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}/deliveries: lists what was sent to a webhook endpoint, newest first. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const { organization_id: organizationId, endpoint_id: id } = path
  const { cursor, ...wanted } = query
  const page = { ...wanted, after: fromCursor(id, cursor) }
  const { deliveries, next } = await listDeliveries(deps, { organizationId, caller, id, page })
  return { status: 200, body: { deliveries: deliveries.map(toDeliveryResource), next_cursor: toCursor(id, next) } }
})
