import { OAuthError } from './errors.ts'
import type { OAuthClient } from './oauthClient.ts'
import type { OAuthClients } from './ports.ts'
import { digestSecret, sameDigest } from './secretDigest.ts'

/** Compared with where there is no client, so that an unknown one takes as long as a wrong secret. */
const nobodysDigest = digestSecret('no client has this secret')

/** A client has two secrets while they are rotated; as many are compared for every other. */
const DIGESTS = 2

/** What a client sends to say who it is. */
export interface ClientCredentials {
  clientId: string
  /** Empty for a public client, which has none (RFC 6749 §2.3.1). */
  clientSecret: string
}

/**
 * The client that sent these credentials. A public client has nothing to prove itself with: it is taken at its word, and a secret
 * from it is a wrong one.
 * @throws OAuthError `invalid_client`, the same for an unknown client, one that is switched off and a wrong secret
 */
export async function authenticateClient(
  clients: OAuthClients,
  { clientId, clientSecret }: ClientCredentials,
): Promise<OAuthClient> {
  const client = await clients.find(clientId)
  const given = digestSecret(clientSecret)
  const digests = Array.from({ length: DIGESTS }, (_, index) => client?.secretDigests[index] ?? nobodysDigest)
  // Both are compared, whichever is right.
  const matches = digests.filter((digest) => sameDigest(given, digest)).length > 0
  const proven = client?.type === 'public' ? clientSecret === '' : matches
  if (!client || client.disabled || !proven) throw new OAuthError('invalid_client')
  return client
}

/**
 * The same for what only a client with a secret may ask (RFC 7662 §2.1).
 * @throws OAuthError `invalid_client` for a public client as well
 */
export async function authenticateConfidentialClient(
  clients: OAuthClients,
  credentials: ClientCredentials,
): Promise<OAuthClient> {
  const client = await authenticateClient(clients, credentials)
  if (client.type === 'public') throw new OAuthError('invalid_client', { message: 'client has no secret' })
  return client
}

/** Whether a client of this id is one that has no secret, and so may leave it out. */
export async function isPublicClient(clients: OAuthClients, clientId: string): Promise<boolean> {
  const client = await clients.find(clientId)
  return client?.type === 'public' && !client.disabled
}
