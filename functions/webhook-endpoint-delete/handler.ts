import { deleteEndpoint } from '../../lib/events/endpoints/deleteEndpoint.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { changeEndpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = changeEndpointDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/webhook-endpoints/{endpoint_id}: deletes a webhook endpoint; nothing is sent to it from then on. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await deleteEndpoint(deps, { organizationId: path.organization_id, caller, id: path.endpoint_id })
  return { status: 204, body: undefined }
})
