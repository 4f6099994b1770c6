import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { acceptInvitation } from '../../lib/organizations/invitations/acceptInvitation.ts'
import { toOrganizationResource } from '../../lib/organizations/organizationResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** POST /api/organizations/invitations/accept: joins the organization that a mail invites to. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, body }) => {
  const own = await acceptInvitation(deps, { caller, token: body.token })
  return { status: 200, body: toOrganizationResource(own) }
})
