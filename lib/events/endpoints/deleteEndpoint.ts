import { entryBy } from '../../organizations/auditEntry.ts'
import { retryOnConflict } from '../../organizations/retryOnConflict.ts'
import { type ChangeEndpointDeps, type EndpointRequest, endpointDetail, openEndpoint } from './endpointDeps.ts'

/**
 * Deletes an endpoint with its secret. What is pending there fails when it is due.
 * @throws OrganizationError `organization_not_found`, `forbidden`; EventError `webhook_endpoint_not_found`, also if repeated; CommonError
 *   `invalid_token`, `service_unavailable`
 */
export async function deleteEndpoint(deps: ChangeEndpointDeps, request: EndpointRequest): Promise<void> {
  const { caller: by } = request
  await retryOnConflict(async () => {
    const endpoint = await openEndpoint(deps, request)
    const { id } = endpoint
    const deleted = { action: 'webhook_endpoint.deleted', target: id, detail: endpointDetail(endpoint) } as const
    return deps.endpoints.delete(endpoint, { by, entry: entryBy(deps, request, deleted) })
  })
}
