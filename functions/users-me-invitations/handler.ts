import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import {
  listReceivedInvitations,
  toReceivedInvitationList,
} from '../../lib/organizations/invitations/listReceivedInvitations.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** GET /api/users/me/invitations: the open invitations to the user's address. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query }) => {
  const after = fromCursor(caller.userId, query.cursor)
  const page = await listReceivedInvitations(deps, caller, { limit: query.limit, after })
  return { status: 200, body: toReceivedInvitationList(page, (position) => toCursor(caller.userId, position)) }
})
