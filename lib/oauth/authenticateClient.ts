import { OAuthError } from './errors.ts'
import type { OAuthClient, OAuthClients } from './ports.ts'
import { digestSecret, sameDigest } from './secretDigest.ts'
import type { TokenRequest } from './tokenRequest.ts'

/** Compared with where there is no client, so that an unknown one takes as long as a wrong secret. */
const nobodysDigest = digestSecret('no client has this secret')

/**
 * The client that sent `request`, by its id and secret (RFC 6749 §2.3.1).
 * @throws OAuthError `invalid_client`, the same for an unknown client and a wrong secret
 */
export async function authenticateClient(
  clients: OAuthClients,
  request: Pick<TokenRequest, 'clientId' | 'clientSecret'>,
): Promise<OAuthClient> {
  const client = await clients.find(request.clientId)
  const matches = sameDigest(digestSecret(request.clientSecret), client?.secretDigest ?? nobodysDigest)
  if (!client || !matches) throw new OAuthError('invalid_client')
  return client
}
