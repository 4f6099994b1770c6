import { createEndpoint } from '../../lib/events/endpoints/createEndpoint.ts'
import { endpointResource, toEndpointResource } from '../../lib/events/endpoints/endpointResource.ts'
import { answerOnce } from '../../lib/http/endpoint/answerOnce.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { readAuthorized } from '../../lib/organizations/authorizeMember.ts'
import { createEndpointDepsFromEnvironment } from '../../lib/runtime/endpoints.ts'
import { answerOnceDepsFromEnvironment, httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = createEndpointDepsFromEnvironment()
const once = answerOnceDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/webhook-endpoints: creates a webhook endpoint. Its secret is in this answer only, and stored encrypted. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, headers, path, body }) => {
  const organizationId = path.organization_id
  const { url, event_types: eventTypes, description } = body
  const repeatable = { key: headers['Idempotency-Key'], operation: 'webhook-endpoint-create', userId: caller.userId }
  let secret: string | null = null
  const answer = await answerOnce(
    once,
    { ...repeatable, resource: organizationId, body },
    {
      status: 201,
      schema: endpointResource,
      authorize: () => readAuthorized(deps.organizations, { organizationId, caller }, 'manage organization'),
      isExclusive: true,
      execute: async (id) => {
        const created = await createEndpoint(deps, { organizationId, caller, id, url, eventTypes, description })
        secret = created.secret
        return { status: 201, body: toEndpointResource(created.endpoint) }
      },
    },
  )
  return { status: 201, body: { ...answer.body, secret } }
})
