import { authenticateClient } from '../client/authenticateClient.ts'
import { OAuthError } from '../errors.ts'
import { type GrantType, grantTypeSchema, type OAuthClient } from '../oauthClient.ts'
import { clientCredentialsGrant } from './clientCredentialsGrant.ts'
import { exchangeAuthorizationCode } from './exchangeAuthorizationCode.ts'
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
