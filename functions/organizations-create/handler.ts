import { etagOf } from '../../lib/http/answer/etag.ts'
import { answerOnce } from '../../lib/http/endpoint/answerOnce.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { createOrganization } from '../../lib/organizations/createOrganization.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { requireVerifiedUser } from '../../lib/organizations/requireVerifiedUser.ts'
import { answerOnceDepsFromEnvironment, httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()
const once = answerOnceDepsFromEnvironment()

/** POST /api/organizations: creates an organization, owned by the caller. */
export const handler = protectedEndpoint(contract, httpDeps(), ({ caller, headers, body }) => {
  const request = { key: headers['Idempotency-Key'], operation: 'organizations-create', userId: caller.userId, body }
  return answerOnce(once, request, {
    status: 201,
    schema: contract.responses[201],
    authorize: () => requireVerifiedUser(deps.users, caller),
    isExclusive: false,
    execute: async (id) => {
      const { name, idempotency_key: idempotencyKey } = body
      const resource = toOrganizationResource(await createOrganization(deps, { caller, name, idempotencyKey, id }))
      const location = `/api/organizations/${resource.id}`
      return { status: 201, body: resource, headers: { location, etag: etagOf(resource) } }
    },
  })
})
