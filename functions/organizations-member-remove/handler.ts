import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { removeMember } from '../../lib/organizations/members/removeMember.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/members/{user_id}: removes a member from the organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await removeMember(deps, {
    organizationId: path.organization_id,
    caller,
    memberId: path.user_id,
  })
  return { status: 204, body: undefined }
})
