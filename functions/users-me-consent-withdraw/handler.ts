import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { withdrawConsent } from '../../lib/oauth/authorize/userConsents.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { userSessionDepsFromEnvironment } from '../../lib/runtime/userSessions.ts'
import { contract } from './contract.ts'

const deps = userSessionDepsFromEnvironment()

/** DELETE /api/users/me/consents/{client_id}: ends what the client may do in the user's name. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await withdrawConsent(deps, caller, path.client_id)
  return { status: 204, body: undefined }
})
