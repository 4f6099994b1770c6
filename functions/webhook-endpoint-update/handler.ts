import { changeEndpoint } from '../../lib/events/endpoints/changeEndpoint.ts'
import { toEndpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { updateEndpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = updateEndpointDepsFromEnvironment()

/** PATCH /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}: changes a webhook endpoint. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const { event_types: eventTypes, ...others } = body
  const request = { organizationId: path.organization_id, caller, id: path.endpoint_id }
  const endpoint = await changeEndpoint(deps, { ...request, change: { eventTypes, ...others } })
  return { status: 200, body: toEndpointResource(endpoint) }
})
