import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { revokeInvitation } from '../../lib/organizations/invitations/revokeInvitation.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/invitations/{invitation_id}: revokes an invitation. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await revokeInvitation(deps, {
    organizationId: path.organization_id,
    caller,
    invitationId: path.invitation_id,
  })
  return { status: 204, body: undefined }
})
