import { scopesIn } from '../../core/scopes.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { AuthorizationCode } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessToken.ts'
import { signIdToken } from './idToken.ts'
import { verifyCodeVerifier } from './pkce.ts'
import { requireActiveUser } from './requireActiveUser.ts'
import { revokeAndRefuse } from './revokeAndRefuse.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/** Absolute lifetime of a family of refresh tokens, however often they are rotated. */
const FAMILY_MILLISECONDS = 30 * 24 * 60 * 60 * 1000

/**
 * The authorization code grant (RFC 6749 §4.1.3, RFC 7636). The tokens are signed first; then a transaction consumes the code and stores the
 * refresh token. So the code stays unused if KMS or the store is unavailable, and if a request does not match it. When a second request matches,
 * at any time, it revokes the refresh tokens of the first request, even if the first answer was lost (RFC 6749 §4.1.2). The client then begins a
 * new authorization, which asks nothing if the browser is signed in.
 * A code is void when its browser session has ended, or when the consent that it needs was withdrawn.
 * @throws OAuthError `invalid_request` or `invalid_grant`; CommonError `service_unavailable`
 */
export async function exchangeAuthorizationCode(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  if (!request.code) throw new OAuthError('invalid_request', { message: 'no code' })
  const digest = digestSecret(request.code)
  const code = await deps.codes.find(digest)
  if (!code) throw new OAuthError('invalid_grant', { message: 'unknown code' })
  requireMatch(code, client, request)
  if (code.familyId !== undefined) return revokeAndRefuse(deps, { familyId: code.familyId, reason: 'code used again' })
  if (deps.clock.now() >= code.validUntil) throw new OAuthError('invalid_grant', { message: 'expired code' })
  const { clientId, userId, securityRev, authentication, scope, nonce } = code
  const user = await requireActiveUser(deps.accounts, { userId, securityRev })

  const familyId = deps.ids.uuid()
  const refreshToken = mayRefresh(client, scope) ? deps.ids.secret() : undefined
  const accessToken = await signAccessToken(deps, { client, userId, securityRev, authentication, scope, familyId })
  const signIn = { clientId, user, authentication, scope, familyId, nonce }
  const idToken = await signIdToken(deps, { ...signIn, accessToken })
  const now = deps.clock.now()
  const familyEndsAt = now + FAMILY_MILLISECONDS
  const { sessionId, browser } = code
  const grant = { clientId, userId, securityRev, authentication, scope, familyId, sessionId }
  const token = { ...grant, familyEndsAt, listedAt: now }
  const endsAt = refreshToken === undefined ? now + ACCESS_TOKEN_SECONDS * 1000 : familyEndsAt
  const consumed = await deps.codes.consume(digest, {
    familyId,
    now,
    refreshToken: refreshToken === undefined ? undefined : { digest: digestSecret(refreshToken), token },
    listed: {
      ...{ userId, clientId, securityRev, familyId, endsAt, browser },
      sessionId: sessionId ?? familyId,
      lastUsedAt: now,
    },
    browserSession: sessionId === undefined ? undefined : { userId, sessionId },
    consent: code.needsConsent ? { userId, clientId } : undefined,
  })
  if (consumed.outcome === 'expired') throw new OAuthError('invalid_grant', { message: 'expired or ended code' })
  if (consumed.outcome === 'already_used')
    return revokeAndRefuse(deps, { familyId: consumed.familyId, reason: 'code used again' })
  return { accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken, idToken, scope }
}

/** A client that is not first-party may refresh its tokens only if the user has allowed that (OpenID Connect Core §11). */
function mayRefresh({ grantTypes, firstParty = false }: OAuthClient, scope: string): boolean {
  return grantTypes.includes('refresh_token') && (firstParty || scopesIn(scope).includes('offline_access'))
}

function requireMatch(code: AuthorizationCode, client: OAuthClient, request: TokenRequest): void {
  if (code.clientId !== client.clientId) throw new OAuthError('invalid_grant', { message: 'code of another client' })
  if (code.redirectUri !== undefined && request.redirectUri === undefined)
    throw new OAuthError('invalid_request', { message: 'no redirect_uri' })
  if (request.redirectUri !== undefined && !matchesRedirectUri(request.redirectUri, code, client))
    throw new OAuthError('invalid_grant', { message: 'another redirect_uri' })
  if (client.type === 'public' && code.codeChallenge === undefined)
    throw new OAuthError('invalid_grant', { message: 'public client without PKCE' })
  if (!verifyCodeVerifier(request.codeVerifier, code.codeChallenge))
    throw new OAuthError('invalid_grant', { message: 'code_verifier does not match' })
}

/** Many clients always send a redirect_uri: if the authorization request omitted it, any registered URI matches. */
function matchesRedirectUri(redirectUri: string, code: AuthorizationCode, client: OAuthClient): boolean {
  return code.redirectUri === undefined ? client.redirectUris.includes(redirectUri) : code.redirectUri === redirectUri
}
