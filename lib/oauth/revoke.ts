import { authenticateClient } from './authenticateClient.ts'
import { digestSecret } from './secretDigest.ts'
import { looksLikeAccessToken, type TokenInquiry, type TokenInspectionDeps } from './tokenInspection.ts'

/**
 * Revokes a token of the client's own (RFC 7009 §2): a refresh token with its family, so that none of it is ever good again; an
 * access token with the family that it was issued with, for functions verify it without asking anybody, until it expires after
 * 15 minutes at most. A token that is unknown, expired or another client's changes nothing, and is no error: there is nothing that a
 * client could do about it (§2.2).
 * @throws OAuthError `invalid_client`; CommonError `service_unavailable`, after which the request is safe to send again
 */
export async function revoke(deps: TokenInspectionDeps, inquiry: TokenInquiry): Promise<void> {
  const client = await authenticateClient(deps.clients, inquiry)
  const find = looksLikeAccessToken(inquiry.token) ? familyOfAccessToken : familyOfRefreshToken
  const found = await find(deps, inquiry.token)
  if (found?.clientId !== client.clientId) return
  const { familyId } = found
  await deps.refreshTokens.revokeFamily({ familyId, now: deps.clock.now() })
  deps.logger.info('Token family ended', { familyId })
}

type Owned = { clientId: string; familyId: string } | undefined

async function familyOfAccessToken({ accessTokens }: TokenInspectionDeps, token: string): Promise<Owned> {
  const claims = await accessTokens.read(token)
  // One that was issued alone is a family of its own: introspection asks for the same.
  return claims === null ? undefined : { clientId: claims.clientId, familyId: claims.familyId ?? claims.tokenId }
}

function familyOfRefreshToken({ refreshTokens }: TokenInspectionDeps, token: string): Promise<Owned> {
  return refreshTokens.find(digestSecret(token))
}
