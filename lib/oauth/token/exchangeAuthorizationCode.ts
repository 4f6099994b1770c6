import { missingParameter, OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { AuthorizationCode } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { verifyCodeVerifier } from './pkce.ts'
import { redeemCode } from './redeemCode.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/**
 * The authorization code grant (RFC 6749 §4.1.3, RFC 7636). A request that does not match the code changes nothing; a request that matches
 * redeems it (`redeemCode`).
 * @throws OAuthError `invalid_request` or `invalid_grant`; CommonError `service_unavailable`
 */
export async function exchangeAuthorizationCode(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  if (!request.code) throw missingParameter('code')
  const digest = digestSecret(request.code)
  const code = await deps.codes.find(digest)
  if (!code || code.isForDevice) throw new OAuthError('invalid_grant', { message: 'unknown code' })
  requireMatch(code, client, request)
  return redeemCode(deps, client, { digest, code, whenExpired: 'invalid_grant' })
}

function requireMatch(code: AuthorizationCode, client: OAuthClient, request: TokenRequest): void {
  if (code.clientId !== client.clientId) throw new OAuthError('invalid_grant', { message: 'code of another client' })
  if (code.redirectUri !== undefined && request.redirectUri === undefined) throw missingParameter('redirect_uri')
  if (request.redirectUri !== undefined && !matchesRedirectUri(request.redirectUri, code, client))
    throw new OAuthError('invalid_grant', { message: 'another redirect_uri', reason: 'redirect_uri_differs' })
  if (client.type === 'public' && code.codeChallenge === undefined)
    throw new OAuthError('invalid_grant', { message: 'public client without PKCE', reason: 'no_code_challenge' })
  if (!verifyCodeVerifier(request.codeVerifier, code.codeChallenge))
    throw new OAuthError('invalid_grant', { message: 'code_verifier does not match', reason: 'code_verifier_differs' })
}

/** Many clients always send a redirect_uri: if the authorization request omitted it, any registered URI matches. */
function matchesRedirectUri(redirectUri: string, code: AuthorizationCode, client: OAuthClient): boolean {
  return code.redirectUri === undefined ? client.redirectUris.includes(redirectUri) : code.redirectUri === redirectUri
}
