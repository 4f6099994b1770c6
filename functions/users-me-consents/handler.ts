import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { listUserConsents } from '../../lib/oauth/authorize/userConsents.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { userSessionDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { contract } from './contract.ts'

const deps = userSessionDepsFromEnvironment()

/** GET /api/users/me/consents: what the user has allowed clients. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  return { status: 200, body: await listUserConsents(deps, caller) }
})
