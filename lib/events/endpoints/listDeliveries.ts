import { type EndpointRequest, openEndpoint } from './endpointDeps.ts'
import type { DeliveryPage, DeliveryPageRequest } from './ports.ts'
import type { DeliveriesDeps } from './testEndpoint.ts'

/**
 * A page of the deliveries to an endpoint in the last 30 days, newest first.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`; CommonError `invalid_token`
 */
export async function listDeliveries(
  deps: DeliveriesDeps,
  { page, ...request }: EndpointRequest & { readonly page: Omit<DeliveryPageRequest, 'now'> },
): Promise<DeliveryPage> {
  const { id } = await openEndpoint(deps, request)
  return deps.deliveries.list(id, { ...page, now: deps.clock.now() })
}
