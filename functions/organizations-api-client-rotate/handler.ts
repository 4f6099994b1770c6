import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toApiClientResource } from '../../lib/organizations/apiClients/apiClient.ts'
import { rotateApiClient } from '../../lib/organizations/apiClients/rotateApiClient.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { changeApiClientDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = changeApiClientDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/api-clients/{api_client_id}/rotate: gives an API client a new secret beside the old secret or instead of it. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const id = path.api_client_id
  const request = { organizationId: path.organization_id, caller, id, expirePrevious: body.expire_previous }
  const { client, secret } = await rotateApiClient(deps, request)
  return { status: 200, body: { ...toApiClientResource(client, deps.clock.now()), client_secret: secret } }
})
