import { protectedEndpoint } from '../../lib/http/endpoint.ts'
import { inviteMember } from '../../lib/organizations/inviteMember.ts'
import { toInvitationResource } from '../../lib/organizations/memberResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { inviteDepsFromEnvironment } from '../../lib/runtime/invitations.ts'
import { contract } from './contract.ts'

const deps = inviteDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/invitations: sends a mail with a link to join. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ identity, path, body }) => {
  const invitation = await inviteMember(deps, {
    organizationId: path.organization_id,
    userId: identity.userId,
    email: body.email,
    role: body.role,
  })
  return { status: 202, body: toInvitationResource(invitation) }
})
