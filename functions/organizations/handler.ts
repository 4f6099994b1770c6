import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { listOrganizations } from '../../lib/organizations/listOrganizations.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const { organizations } = organizationDepsFromEnvironment()

/** GET /api/organizations: lists the organizations that the signed-in user is a member of. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  const own = await listOrganizations(organizations, caller)
  return { status: 200, body: { organizations: own.map(toOrganizationResource), next_cursor: null } }
})
