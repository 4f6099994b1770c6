import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { getMember } from '../../lib/organizations/members/getMember.ts'
import { toMemberResource } from '../../lib/organizations/members/memberResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/members/{user_id}: a member of an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const wanted = { organizationId: path.organization_id, caller, memberId: path.user_id }
  const { member, ...shown } = await getMember(deps, wanted)
  return { status: 200, body: toMemberResource(member, shown) }
})
