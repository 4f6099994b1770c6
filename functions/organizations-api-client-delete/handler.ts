import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deleteApiClient } from '../../lib/organizations/apiClients/deleteApiClient.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { changeApiClientDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = changeApiClientDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/api-clients/{api_client_id}: deletes an API client; its tokens are refused from then on. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await deleteApiClient(deps, { organizationId: path.organization_id, caller, id: path.api_client_id })
  return { status: 204, body: undefined }
})
