import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { endUserSession } from '../../lib/oauth/session/userSessions.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { userSessionDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { contract } from './contract.ts'

const deps = userSessionDepsFromEnvironment()

/** DELETE /api/users/me/sessions/{session_id}: ends a session of the user, at once. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await endUserSession(deps, caller, path.session_id)
  return { status: 204, body: undefined }
})
