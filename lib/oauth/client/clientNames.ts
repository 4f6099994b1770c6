import type { OAuthClient } from '../oauthClient.ts'
import type { OAuthClients } from '../ports.ts'

/** The name of a client for its users: its id if it has none. */
export function nameOf({ name, clientId }: Pick<OAuthClient, 'name' | 'clientId'>): string {
  return name || clientId
}

/**
 * Finds the names of clients for their users. If a client has no name, or does not exist any more, its id.
 * @throws CommonError `service_unavailable`
 */
export async function clientNames(
  clients: OAuthClients,
  clientIds: readonly string[],
): Promise<(clientId: string) => string> {
  const found = await Promise.all([...new Set(clientIds)].map((clientId) => clients.find(clientId)))
  const names = new Map(found.flatMap((client) => (client ? [[client.clientId, nameOf(client)] as const] : [])))
  return (clientId) => names.get(clientId) ?? clientId
}
