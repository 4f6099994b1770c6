import { tokenEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { isPublicClient } from '../../lib/oauth/client/authenticateClient.ts'
import { revoke } from '../../lib/oauth/token/revoke.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { tokenInspectionDepsFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const deps = tokenInspectionDepsFromEnvironment()
const endpoint = {
  ...openHttpDeps(),
  isPublicClient: (clientId: string) => isPublicClient(deps.clients, clientId),
}

/** POST /api/oauth/revoke: revokes a token and its grant. 200 even if the token is unknown (§2.2). */
export const handler = tokenEndpoint(contract, endpoint, async ({ body }) => {
  await revoke(deps, { clientId: body.client_id, clientSecret: body.client_secret, token: body.token })
  return { status: 200, body: undefined }
})
