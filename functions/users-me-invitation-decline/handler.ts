import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { declineInvitation } from '../../lib/organizations/invitations/declineInvitation.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** POST /api/users/me/invitations/{invitation_id}/decline: ends an invitation to the user's address. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await declineInvitation(deps, { caller, id: path.invitation_id })
  return { status: 204, body: undefined }
})
