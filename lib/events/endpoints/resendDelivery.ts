import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { EventError } from '../errors.ts'
import type { Delivery } from '../ports.ts'
import { type EndpointRequest, openEnabledEndpoint } from './endpointDeps.ts'
import type { DeliveriesDeps } from './testEndpoint.ts'

/**
 * Sends a delivery again, whatever came of it, with its tries from the beginning.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`, `webhook_endpoint_disabled`,
 *   `webhook_delivery_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export function resendDelivery(
  deps: DeliveriesDeps,
  request: EndpointRequest & { readonly deliveryId: string },
): Promise<Delivery> {
  return retryOnConflict(async () => {
    const { id: endpointId } = await openEnabledEndpoint(deps, request)
    const now = deps.clock.now()
    const name = { endpointId, id: request.deliveryId }
    const delivery = await deps.deliveries.find(name, now)
    if (delivery === undefined) throw new EventError('webhook_delivery_not_found')
    const outcome = await deps.deliveries.resend(name, now, { owner: delivery.owner, by: request.caller })
    if (outcome !== 'written') return outcome
    return { ...delivery, status: 'pending' as const, attempts: 0, firstAttemptAt: null, nextAttemptAt: now }
  })
}
