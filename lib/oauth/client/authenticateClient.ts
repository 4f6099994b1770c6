import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { OAuthClients } from '../ports.ts'
import { digestSecret, sameDigest } from '../secretDigest.ts'

/** Compared if a secret is missing, so that an unknown client takes as long as a wrong secret. */
const decoyDigest = digestSecret('no client has this secret')

/** A client has two secrets during a rotation; as many are compared for every client. */
const MAX_SECRETS = 2

/** What a client authenticates with (RFC 6749 §2.3). */
export interface ClientCredentials {
  clientId: string
  /** Empty for a public client, which has none (RFC 6749 §2.3.1). */
  clientSecret: string
}

/**
 * The client with these credentials. A public client is identified by its id alone, and refused if it sends a secret.
 * @throws OAuthError `invalid_client`, the same if the client is unknown, if it is disabled and if the secret is wrong
 */
export async function authenticateClient(
  clients: OAuthClients,
  { clientId, clientSecret }: ClientCredentials,
): Promise<OAuthClient> {
  const client = await clients.find(clientId)
  const given = digestSecret(clientSecret)
  const digests = Array.from({ length: MAX_SECRETS }, (_, index) => client?.secretDigests[index] ?? decoyDigest)
  // `filter` compares every digest; `some` would stop at the first match.
  const matches = digests.filter((digest) => sameDigest(given, digest)).length > 0
  const proven = client?.type === 'public' ? clientSecret === '' : matches
  if (!client || client.disabled || !proven) throw new OAuthError('invalid_client')
  return client
}

/**
 * Like `authenticateClient`, for requests that only clients with a secret may make (RFC 7662 §2.1).
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

/** Whether this is the id of a public client, which may omit the secret. */
export async function isPublicClient(clients: OAuthClients, clientId: string): Promise<boolean> {
  const client = await clients.find(clientId)
  return client?.type === 'public' && !client.disabled
}
