import { hkdfSync } from 'node:crypto'
import { afterPause } from '../../core/authentication.ts'
import { CommonError } from '../../core/errors.ts'
import { missingParameter, OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { RefreshToken } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './accessToken.ts'
import { signIdToken } from './idToken.ts'
import { narrowScope } from './narrowScope.ts'
import { requireActiveUser } from './requireActiveUser.ts'
import { revokeAndRefuse } from './revokeAndRefuse.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/** How old the last use in the user's list of sessions may be: noting it costs a write in the transaction. */
const USE_NOTED_MILLISECONDS = 3_600_000

/**
 * The refresh token grant with rotation (RFC 6749 §6, RFC 9700 §4.14.2). Safe to send again: if the same client sends the same token again
 * within 30 seconds, and before the new refresh token is used, it gets the same new refresh token with another access token. So do parallel
 * requests. Any other use of a rotated token revokes the family, because a thief's request looks like a client's. The tokens are signed before
 * the rotation: if KMS fails, the client still has its refresh token.
 * @throws OAuthError `invalid_request`, `invalid_grant` or `invalid_scope`; CommonError `service_unavailable`
 */
export async function refreshTokenGrant(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const presented = request.refreshToken
  if (!presented) throw missingParameter('refresh_token')
  const token = await deps.refreshTokens.find(digestSecret(presented))
  if (!token) throw new OAuthError('invalid_grant', { message: 'unknown refresh token' })
  if (token.clientId !== client.clientId) throw new OAuthError('invalid_grant', { message: 'token of another client' })

  const { userId, securityRev, familyId, familyEndsAt } = token
  const known = await findSuccessor(deps, presented, token)
  if (deps.clock.now() >= familyEndsAt)
    throw new OAuthError('invalid_grant', { message: 'expired refresh token', reason: 'refresh_token_expired' })
  const scope = narrowScope(token.scope, request.scope)
  const user = await requireActiveUser(deps.accounts, { userId, securityRev, familyId })
  const authentication = afterPause(token.authentication, lastUseOf(token), deps.clock.now())

  const accessToken = await signAccessToken(deps, { client, userId, securityRev, authentication, scope, familyId })
  const idToken = await signIdToken(deps, {
    clientId: client.clientId,
    user,
    authentication,
    scope,
    familyId,
    accessToken,
  })
  const refreshToken = known ?? (await rotate(deps, presented, { ...token, authentication }))
  return { accessToken, expiresIn: ACCESS_TOKEN_SECONDS, refreshToken, idToken, scope }
}

/** Rotates the token. If a concurrent request has rotated it, returns the successor from there. */
async function rotate(deps: TokenDeps, presented: string, token: RefreshToken): Promise<string> {
  const successorSalt = deps.ids.secret()
  const successor = deriveSuccessor(presented, successorSalt)
  const [from, to] = [digestSecret(presented), digestSecret(successor)]
  const now = deps.clock.now()
  const notesUse = token.listedAt === undefined || now - token.listedAt >= USE_NOTED_MILLISECONDS
  const next = { ...token, issuedAt: now }
  const outcome = await deps.refreshTokens.rotate({ from, to, token: next, successorSalt, now, notesUse })
  if (outcome === 'family_revoked') throw new OAuthError('invalid_grant', { message: 'family revoked' })
  if (outcome === 'rotated') return successor
  const rotated = await deps.refreshTokens.find(from)
  const known = rotated && (await findSuccessor(deps, presented, rotated))
  if (known === undefined) throw new CommonError('service_unavailable', { message: 'refresh token is being rotated' })
  return known
}

/** When the family last got a token; for a token from before that was stored, when its use was last noted, or its sign-in. */
function lastUseOf({ issuedAt, listedAt, authentication }: RefreshToken): number {
  return issuedAt ?? listedAt ?? authentication.at
}

/** How long after its rotation a refresh token may be sent again: if an answer is lost, the client repeats its request within seconds. */
const RESEND_MILLISECONDS = 30_000

/**
 * The token that replaces `token`: HKDF-SHA256 (RFC 5869) with a salt that is drawn for this rotation and stored with the digest of `token`.
 * Computing it takes both: a copy of the table has no token, and the holder of an old token has no salt.
 */
export function deriveSuccessor(token: string, salt: string): string {
  return Buffer.from(hkdfSync('sha256', token, salt, 'refresh token successor', 32)).toString('base64url')
}

/**
 * The answer to a request that is sent again: the successor of a token that was rotated within the last 30 seconds, if the successor is still
 * the family's newest token. Undefined if the token was not rotated. Any other use is a reuse, which revokes the family.
 * @throws OAuthError `invalid_grant`; CommonError `service_unavailable`
 */
async function findSuccessor(
  deps: Pick<TokenDeps, 'refreshTokens' | 'clock' | 'logger'>,
  presented: string,
  { rotatedAt, successorSalt, familyId }: RefreshToken,
): Promise<string | undefined> {
  if (rotatedAt === undefined) return undefined
  const reuse = { familyId, reason: 'refresh token used again' }
  if (successorSalt === undefined || deps.clock.now() >= rotatedAt + RESEND_MILLISECONDS)
    return revokeAndRefuse(deps, reuse)
  const successor = deriveSuccessor(presented, successorSalt)
  const [newest, isRevoked] = await Promise.all([
    deps.refreshTokens.find(digestSecret(successor)),
    deps.refreshTokens.isFamilyRevoked(familyId),
  ])
  if (isRevoked) throw new OAuthError('invalid_grant', { message: 'family revoked' })
  if (newest === undefined || newest.rotatedAt !== undefined) return revokeAndRefuse(deps, reuse)
  return successor
}
