import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { eventBody } from '../event.ts'
import { newDelivery } from '../newDelivery.ts'
import type { Delivery, Endpoint } from '../ports.ts'
import { type EndpointDeps, type EndpointRequest, openEnabledEndpoint } from './endpointDeps.ts'
import { toEndpointResource } from './endpointResource.ts'
import type { EndpointDeliveries } from './ports.ts'

export interface DeliveriesDeps extends EndpointDeps {
  readonly deliveries: EndpointDeliveries
  readonly clock: Clock
}

export interface TestEndpointDeps extends DeliveriesDeps {
  readonly ids: Pick<Ids, 'uuid'>
}

/**
 * Sends an event `endpoint.test` to an endpoint, whatever types it hears: its `data` is the endpoint.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`, `webhook_endpoint_disabled`;
 *   CommonError `invalid_token`, `service_unavailable`
 */
export function testEndpoint(deps: TestEndpointDeps, request: EndpointRequest): Promise<Delivery> {
  return retryOnConflict(async () => {
    const delivery = testDelivery(deps, await openEnabledEndpoint(deps, request))
    const outcome = await deps.deliveries.add(delivery, request.caller)
    return outcome === 'written' ? delivery : outcome
  })
}

/** A delivery of a test, with the event itself, which is in no list. */
export function testDelivery({ ids, clock }: Pick<TestEndpointDeps, 'ids' | 'clock'>, endpoint: Endpoint): Delivery {
  const now = clock.now()
  const eventId = `evt_${ids.uuid().replaceAll('-', '')}`
  const organizationId = endpoint.owner === 'operator' ? null : endpoint.owner
  const data = toEndpointResource(endpoint)
  const body = eventBody({ id: eventId, type: 'endpoint.test', at: now, organizationId, sequence: null, data })
  return newDelivery(ids, now, endpoint, { eventId, eventType: 'endpoint.test', event: { body } })
}
