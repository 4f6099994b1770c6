import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { resendInvitation } from '../../lib/organizations/invitations/inviteMember.ts'
import { toInvitationResource } from '../../lib/organizations/members/memberResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { inviteDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = inviteDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/invitations/{invitation_id}/resend: mails a new link in place of the earlier link. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, language }) => {
  const { organization_id: organizationId, invitation_id: invitationId } = path
  const invitation = await resendInvitation(deps, { organizationId, caller, invitationId, language })
  return { status: 202, body: toInvitationResource(invitation) }
})
