import { signOnOf } from '../../core/authentication.ts'
import { scopesIn } from '../../core/scopes.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { AuthorizationCode } from '../ports.ts'
import { digestSecret, type SecretDigest } from '../secretDigest.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessToken.ts'
import { signIdToken } from './idToken.ts'
import { requireActiveUser } from './requireActiveUser.ts'
import { revokeAndRefuse } from './revokeAndRefuse.ts'
import type { IssuedTokens, TokenDeps } from './tokenRequest.ts'

/** Absolute lifetime of a family of refresh tokens, however often they are rotated. */
const FAMILY_MILLISECONDS = 30 * 24 * 60 * 60 * 1000

/** A code that its client has shown. */
interface ShownCode {
  readonly digest: SecretDigest
  readonly code: AuthorizationCode
  /** The error for a code that has expired. */
  readonly whenExpired: 'invalid_grant' | 'expired_token'
}

/**
 * Issues tokens for a code, of a browser or of a device. The tokens are signed first; then a transaction consumes the code and stores the
 * refresh token. So the code stays unused if KMS or the store is unavailable. When a second request shows it,
 * at any time, it revokes the refresh tokens of the first request, even if the first answer was lost (RFC 6749 §4.1.2). The client then begins a
 * new authorization, which asks nothing if the browser is signed in.
 * A code is void when its browser session has ended, or when the consent that it needs was withdrawn.
 * @throws OAuthError `invalid_grant`, or `whenExpired`; CommonError `service_unavailable`
 */
export async function redeemCode(
  deps: TokenDeps,
  client: OAuthClient,
  { digest, code, whenExpired }: ShownCode,
): Promise<IssuedTokens> {
  if (code.familyId !== undefined) return revokeAndRefuse(deps, { familyId: code.familyId, reason: 'code used again' })
  if (deps.clock.now() >= code.validUntil) throw new OAuthError(whenExpired, { message: 'expired code' })
  const { clientId, userId, securityRev, authentication, scope, nonce } = code
  const user = await requireActiveUser(deps.accounts, { userId, securityRev })

  const familyId = deps.ids.uuid()
  const refreshToken = mayRefresh(client, scope) ? deps.ids.secret() : undefined
  const accessToken = await signAccessToken(deps, { client, userId, securityRev, authentication, scope, familyId })
  const signIn = { clientId, user, authentication, scope, familyId, nonce }
  const idToken = await signIdToken(deps, { ...signIn, accessToken })
  const now = deps.clock.now()
  const familyEndsAt = now + FAMILY_MILLISECONDS
  const { sessionId, allowedIn, browser } = code
  const openSession = sessionId ?? allowedIn
  const grant = { clientId, userId, securityRev, authentication, scope, familyId, sessionId }
  const token = { ...grant, familyEndsAt, listedAt: now, issuedAt: now }
  const endsAt = refreshToken === undefined ? now + ACCESS_TOKEN_SECONDS * 1000 : familyEndsAt
  const consumed = await deps.codes.consume(digest, {
    familyId,
    now,
    refreshToken: refreshToken === undefined ? undefined : { digest: digestSecret(refreshToken), token },
    listed: {
      ...{ userId, clientId, securityRev, familyId, endsAt, browser },
      sessionId: sessionId ?? familyId,
      lastUsedAt: now,
      idleSeconds: authentication.idleSeconds,
      ...signOnOf(authentication),
    },
    browserSession: openSession === undefined ? undefined : { userId, sessionId: openSession },
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
