import { reasonOf } from '../../core/errors.ts'
import { serviceClientIdSchema } from '../../core/ids.ts'
import { authenticateClient } from '../client/authenticateClient.ts'
import { OAuthError } from '../errors.ts'
import { DEVICE_CODE, type GrantType, grantTypeSchema, type OAuthClient } from '../oauthClient.ts'
import { ACCESS_TOKEN_SECONDS, signApiClientToken, signServiceToken } from './accessToken.ts'
import { exchangeAuthorizationCode } from './exchangeAuthorizationCode.ts'
import { exchangeDeviceCode } from './exchangeDeviceCode.ts'
import { narrowScope } from './narrowScope.ts'
import { refreshTokenGrant } from './refreshTokenGrant.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/**
 * Issues tokens to an authenticated client by a type of grant.
 * @throws OAuthError for a refusal, CommonError `service_unavailable`
 */
type ServeGrant = (deps: TokenDeps, client: OAuthClient, request: TokenRequest) => Promise<IssuedTokens>

const grants: Record<GrantType, ServeGrant> = {
  authorization_code: exchangeAuthorizationCode,
  refresh_token: refreshTokenGrant,
  client_credentials: clientCredentialsGrant,
  [DEVICE_CODE]: exchangeDeviceCode,
}

/**
 * The token endpoint (RFC 6749 §3.2): authenticates the client, then serves the requested grant.
 * @throws OAuthError for a refusal; CommonError `service_unavailable` when a store or the signing key does not answer
 */
export async function handleTokenRequest(deps: TokenDeps, request: TokenRequest): Promise<IssuedTokens> {
  const client = await authenticateClient(deps.clients, request)
  const grantType = grantTypeSchema.safeParse(request.grantType)
  if (!grantType.success) throw new OAuthError('unsupported_grant_type')
  if (!client.grantTypes.includes(grantType.data)) throw new OAuthError('unauthorized_client')
  return grants[grantType.data](deps, client, request)
}

/**
 * The client credentials grant (RFC 6749 §4.4), for API clients of organizations and service clients: an access token for the client's
 * organization alone, or for a service client of no organization, without a refresh token (§4.4.3). Consumes nothing: safe to send again. Notes an API client's use at most once an hour; if the note fails, the token is
 * issued nevertheless.
 * @throws OAuthError `invalid_scope`; CommonError `service_unavailable`
 */
async function clientCredentialsGrant(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { apiClient, securityRev } = client
  const ofNoUser = { expiresIn: ACCESS_TOKEN_SECONDS, refreshToken: undefined, idToken: undefined }
  if (securityRev !== undefined) {
    const clientId = serviceClientIdSchema.parse(client.clientId)
    const scope = narrowScope((client.scopes ?? []).join(' '), request.scope)
    const grant = { clientId, scope, securityRev, familyId: deps.ids.uuid() }
    return { accessToken: await signServiceToken(deps, grant), scope, ...ofNoUser }
  }
  if (apiClient === undefined) throw new OAuthError('unauthorized_client')
  const { clientId, scopes } = apiClient
  const scope = narrowScope(scopes.join(' '), request.scope)
  const accessToken = await signApiClientToken(deps, { clientId, scope, familyId: deps.ids.uuid() })
  await deps.apiClients.noteUse(clientId, deps.clock.now()).catch((error: unknown) => {
    deps.logger.warn('Use of an API client not noted', { reason: reasonOf(error) })
  })
  return { accessToken, scope, ...ofNoUser }
}
