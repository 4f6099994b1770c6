import { tokenEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { isPublicClient } from '../../lib/oauth/client/authenticateClient.ts'
import { handleTokenRequest } from '../../lib/oauth/token/handleTokenRequest.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { tokenDepsFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const deps = tokenDepsFromEnvironment()
const endpoint = {
  ...openHttpDeps(),
  isPublicClient: (clientId: string) => isPublicClient(deps.clients, clientId),
}

/** POST /api/oauth/token: issues tokens for an authorization code, a device code, a refresh token or a client's own credentials. */
export const handler = tokenEndpoint(contract, endpoint, async ({ body }) => {
  const tokens = await handleTokenRequest(deps, {
    clientId: body.client_id,
    clientSecret: body.client_secret,
    grantType: body.grant_type,
    code: body.code,
    redirectUri: body.redirect_uri,
    codeVerifier: body.code_verifier,
    refreshToken: body.refresh_token,
    deviceCode: body.device_code,
    scope: body.scope,
  })
  // Members are left out if they do not apply: OAuth clients refuse null and empty values.
  return {
    status: 200,
    body: {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: tokens.expiresIn,
      refresh_token: tokens.refreshToken,
      id_token: tokens.idToken,
      scope: tokens.scope || undefined,
    },
  }
})
