import { OAuthError } from '../errors.ts'
import type { TokenDeps } from './tokenRequest.ts'

/**
 * Revokes the family when a code or refresh token is used a second time (RFC 6749 §4.1.2, RFC 9700 §4.14.2): either request may be a thief's.
 * @throws OAuthError `invalid_grant`, always
 */
export async function revokeAndRefuse(
  deps: Pick<TokenDeps, 'refreshTokens' | 'clock' | 'logger'>,
  replay: { familyId: string; reason: string },
): Promise<never> {
  await deps.refreshTokens.revokeFamily({ familyId: replay.familyId, now: deps.clock.now() })
  deps.logger.warn('Token family revoked', { familyId: replay.familyId, reason: replay.reason })
  throw new OAuthError('invalid_grant', { message: replay.reason })
}
