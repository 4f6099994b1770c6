import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toMembersResource } from '../../lib/organizations/members/memberResource.ts'
import { readMembers } from '../../lib/organizations/members/readMembers.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/members: lists the members and, for owners, the open invitations. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const members = await readMembers(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: toMembersResource(members) }
})
