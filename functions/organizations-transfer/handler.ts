import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { transferOrganization } from '../../lib/organizations/members/transferOrganization.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/transfer: makes another member an owner and the caller a billing admin. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const own = await transferOrganization(deps, {
    organizationId: path.organization_id,
    caller,
    memberId: body.user_id,
  })
  return { status: 200, body: toOrganizationResource(own) }
})
