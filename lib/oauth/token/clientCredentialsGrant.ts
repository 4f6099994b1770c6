import { reasonOf } from '../../core/errors.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import { ACCESS_TOKEN_SECONDS, signApiClientToken } from './accessToken.ts'
import { narrowScope } from './narrowScope.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/**
 * The client credentials grant (RFC 6749 §4.4), for API clients of organizations: an access token for the client's organization alone, without
 * a refresh token (§4.4.3). Consumes nothing: safe to send again. Notes the client's use at most once an hour; if the note fails, the token is
 * issued nevertheless.
 * @throws OAuthError `invalid_scope`; CommonError `service_unavailable`
 */
export async function clientCredentialsGrant(
  deps: TokenDeps,
  { apiClient }: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  if (apiClient === undefined) throw new OAuthError('unauthorized_client')
  const { clientId, scopes } = apiClient
  const scope = narrowScope(scopes.join(' '), request.scope)
  const accessToken = await signApiClientToken(deps, { clientId, scope, familyId: deps.ids.uuid() })
  await deps.apiClients.noteUse(clientId, deps.clock.now()).catch((error: unknown) => {
    deps.logger.warn('Use of an API client not noted', { reason: reasonOf(error) })
  })
  return { accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken: undefined, idToken: undefined, scope }
}
