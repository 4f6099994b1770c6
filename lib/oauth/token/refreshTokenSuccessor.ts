import { hkdfSync } from 'node:crypto'
import { OAuthError } from '../errors.ts'
import type { RefreshToken } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { revokeAndRefuse } from './revokeAndRefuse.ts'
import type { TokenDeps } from './tokenRequest.ts'

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
export async function findSuccessor(
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
