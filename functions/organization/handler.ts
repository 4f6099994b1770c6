import { readAnswer } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { getOrganization } from '../../lib/organizations/getOrganization.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const { organizations } = organizationDepsFromEnvironment()

/** GET /api/organizations/{organization_id}: an organization, if the signed-in user is a member. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, headers }) => {
  const request = { organizationId: path.organization_id, caller }
  return readAnswer(toOrganizationResource(await getOrganization(organizations, request)), headers)
})
