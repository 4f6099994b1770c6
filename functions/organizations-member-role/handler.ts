import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { changeMemberRole } from '../../lib/organizations/members/changeMemberRole.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** PATCH /api/organizations/{organization_id}/members/{user_id}: changes a member's role. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const { userId, role } = await changeMemberRole(deps, {
    organizationId: path.organization_id,
    caller,
    memberId: path.user_id,
    role: body.role,
  })
  return { status: 200, body: { user_id: userId, role } }
})
