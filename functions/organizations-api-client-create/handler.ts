import { answerOnce } from '../../lib/http/endpoint/answerOnce.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { apiClientResource, toApiClientResource } from '../../lib/organizations/apiClients/apiClient.ts'
import { createApiClient } from '../../lib/organizations/apiClients/createApiClient.ts'
import { readAuthorized } from '../../lib/organizations/authorizeMember.ts'
import { answerOnceDepsFromEnvironment, httpDeps } from '../../lib/runtime/http.ts'
import { changeApiClientDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = changeApiClientDepsFromEnvironment()
const once = answerOnceDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/api-clients: creates an API client. Its secret is in this answer, and never stored. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, headers, path, body }) => {
  const organizationId = path.organization_id
  const { userId } = caller
  const repeatable = { key: headers['Idempotency-Key'], operation: 'organizations-api-client-create', userId }
  let client_secret: string | null = null
  const answer = await answerOnce(
    once,
    { ...repeatable, resource: organizationId, body },
    {
      status: 201,
      schema: apiClientResource,
      authorize: () => readAuthorized(deps.organizations, { organizationId, caller }, 'manage organization'),
      isExclusive: true,
      execute: async (id) => {
        const { client, secret } = await createApiClient(deps, { organizationId, caller, id, ...body })
        client_secret = secret
        return { status: 201, body: toApiClientResource(client, deps.clock.now()) }
      },
    },
  )
  return { status: 201, body: { ...answer.body, client_secret } }
})
