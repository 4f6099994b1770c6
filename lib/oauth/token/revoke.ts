import { authenticateClient } from '../client/authenticateClient.ts'
import { digestSecret } from '../secretDigest.ts'
import { looksLikeAccessToken, type TokenInquiry, type TokenInspectionDeps } from './tokenInspection.ts'

/**
 * Revokes a token of the client's own (RFC 7009 §2) with its family. The family's access tokens are refused from the next request on. If the
 * token is unknown, expired or another client's, nothing changes; that is no error, because a client could not handle an error (§2.2).
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

type OwnedFamily = { clientId: string; familyId: string } | undefined

async function familyOfAccessToken({ accessTokens }: TokenInspectionDeps, token: string): Promise<OwnedFamily> {
  return (await accessTokens.read(token)) ?? undefined
}

function familyOfRefreshToken({ refreshTokens }: TokenInspectionDeps, token: string): Promise<OwnedFamily> {
  return refreshTokens.find(digestSecret(token))
}
