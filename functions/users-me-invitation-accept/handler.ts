import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { acceptReceivedInvitation } from '../../lib/organizations/invitations/acceptInvitation.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { roleDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = roleDepsFromEnvironment()

/** POST /api/users/me/invitations/{invitation_id}/accept: joins the organization that invited the user's address. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const { organization, role } = await acceptReceivedInvitation(deps, { caller, id: path.invitation_id })
  return { status: 200, body: { organization_id: organization.id, role } }
})
