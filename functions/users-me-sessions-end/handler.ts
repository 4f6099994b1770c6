import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { userSessionDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { signOutEverywhere } from '../../lib/users/account/signOutEverywhere.ts'
import { contract } from './contract.ts'

const deps = userSessionDepsFromEnvironment()

/** DELETE /api/users/me/sessions: ends every session of the user, this one included. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  await signOutEverywhere(deps, caller)
  return { status: 204, body: undefined }
})
