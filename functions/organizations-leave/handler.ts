import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { leaveOrganization } from '../../lib/organizations/members/leaveOrganization.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/leave: removes the caller from the organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await leaveOrganization(deps, { organizationId: path.organization_id, caller })
  return { status: 204, body: undefined }
})
