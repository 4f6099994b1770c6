import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { listUserSessions } from '../../lib/oauth/session/listUserSessions.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { serviceNameFromEnvironment, userSessionDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { contract } from './contract.ts'

const deps = { ...userSessionDepsFromEnvironment(), serviceName: serviceNameFromEnvironment() }

/** GET /api/users/me/sessions: where the user is signed in. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  return { status: 200, body: await listUserSessions(deps, caller) }
})
