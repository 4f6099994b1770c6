import { answerOnce } from '../../lib/http/endpoint/answerOnce.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { inviteMember, requireInviter } from '../../lib/organizations/invitations/inviteMember.ts'
import { toInvitationResource } from '../../lib/organizations/members/memberResource.ts'
import { answerOnceDepsFromEnvironment, httpDeps } from '../../lib/runtime/http.ts'
import { inviteDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = inviteDepsFromEnvironment()
const once = answerOnceDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/invitations: sends a mail with a link to join. */
export const handler = protectedEndpoint(contract, httpDeps(), ({ caller, path, headers, body, language }) => {
  const organizationId = path.organization_id
  const key = headers['Idempotency-Key']
  const request = { key, operation: 'organizations-invite', userId: caller.userId, resource: organizationId, body }
  return answerOnce(once, request, {
    status: 202,
    schema: contract.responses[202],
    authorize: () => requireInviter(deps, { organizationId, caller }),
    // Each execution sends a mail.
    isExclusive: true,
    execute: async () => {
      const invitation = await inviteMember(deps, { organizationId, caller, ...body, language })
      return { status: 202, body: toInvitationResource(invitation) }
    },
  })
})
