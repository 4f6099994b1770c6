import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toApiClientResource } from '../../lib/organizations/apiClients/apiClient.ts'
import { listApiClients } from '../../lib/organizations/apiClients/listApiClients.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { apiClientDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = apiClientDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/api-clients: lists the API clients, without their secrets. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const found = await listApiClients(deps, { organizationId: path.organization_id, caller })
  const now = deps.clock.now()
  const clients = found.map((client) => toApiClientResource(client, now))
  return { status: 200, body: { api_clients: clients, next_cursor: null } }
})
