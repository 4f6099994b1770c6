import { authenticateClient } from '../client/authenticateClient.ts'
import { OAuthError } from '../errors.ts'
import { type GrantType, grantTypeSchema } from '../oauthClient.ts'
import { clientCredentialsGrant } from './clientCredentialsGrant.ts'
import { exchangeAuthorizationCode } from './exchangeAuthorizationCode.ts'
import { refreshTokenGrant } from './refreshTokenGrant.ts'
import type { Grant, IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

const grants: Record<GrantType, Grant> = {
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
