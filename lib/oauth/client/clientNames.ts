import type { OAuthClients } from '../ports.ts'

/**
 * Finds the names of clients for their users. If a client has no name, or does not exist any more, its id.
 * @throws CommonError `service_unavailable`
 */
export async function clientNames(
  clients: OAuthClients,
  clientIds: readonly string[],
): Promise<(clientId: string) => string> {
  const found = await Promise.all([...new Set(clientIds)].map((clientId) => clients.find(clientId)))
  const names = new Map(found.flatMap((client) => (client ? [[client.clientId, client.name] as const] : [])))
  return (clientId) => names.get(clientId) || clientId
}
