import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessToken.ts'
import { OAuthError } from './errors.ts'
import { FAMILY_MILLISECONDS } from './exchangeAuthorizationCode.ts'
import type { OAuthClient } from './oauthClient.ts'
import { requireActiveUser } from './requireActiveUser.ts'
import { revokeAndRefuse } from './revokeAndRefuse.ts'
import { digestSecret } from './secretDigest.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/**
 * The refresh token grant with rotation (RFC 6749 §6, RFC 9700 §4.14.2). Of parallel requests with one token exactly one gets tokens.
 * Every other one is a reuse, because a thief's request looks like a client's: the family is revoked and the user signs in again. A
 * client sends one refresh at a time. The access token is signed before the rotation, so that a failure of KMS costs no refresh token.
 * @throws OAuthError `invalid_request`, `invalid_grant` or `invalid_scope`; CommonError `service_unavailable`
 */
export async function refreshTokenGrant(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  if (!request.refreshToken) throw new OAuthError('invalid_request', { message: 'no refresh_token' })
  const from = digestSecret(request.refreshToken)
  const token = await deps.refreshTokens.find(from)
  if (!token) throw new OAuthError('invalid_grant', { message: 'unknown refresh token' })
  if (token.clientId !== client.clientId) throw new OAuthError('invalid_grant', { message: 'token of another client' })

  const { clientId, userId, familyId, familyEndsAt } = token
  const reuse = { familyId, reason: 'refresh token used again' }
  if (token.rotatedAt !== undefined) return revokeAndRefuse(deps, reuse)
  const now = deps.clock.now()
  if (now >= familyEndsAt) throw new OAuthError('invalid_grant', { message: 'expired refresh token' })
  const scope = narrowScope(token.scope, request.scope)
  await requireActiveUser(deps.accounts, { userId, familyId, grantedAt: familyEndsAt - FAMILY_MILLISECONDS })

  const accessToken = await signAccessToken(deps, { clientId, userId, scope, familyId })
  const refreshToken = deps.ids.secret()
  const outcome = await deps.refreshTokens.rotate({ from, to: digestSecret(refreshToken), token, now })
  if (outcome === 'already_rotated') return revokeAndRefuse(deps, reuse)
  if (outcome === 'family_revoked') throw new OAuthError('invalid_grant', { message: 'family revoked' })
  return { accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken, scope }
}

/** The scope of this access token: the one requested, which must be part of the granted one, or else all of it. */
function narrowScope(granted: string, requested = ''): string {
  const wanted = requested.split(' ').filter(Boolean)
  if (wanted.length === 0) return granted
  const allowed = new Set(granted.split(' '))
  if (!wanted.every((scope) => allowed.has(scope))) throw new OAuthError('invalid_scope')
  return [...new Set(wanted)].join(' ')
}
