import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import { described, named } from '../http/schema.ts'
import type { ProviderConnection } from './ports.ts'

/** A connected account at an OpenID provider as shown to its user. */
const providerConnectionResource = named(
  'ProviderConnection',
  z.strictObject({
    provider: described('The id of the provider here', z.string()),
    issuer: described('The issuer, as the provider names itself', z.string()),
    subject: described('The id of the user at the provider', z.string()),
    email: described(
      'The address at the provider when it was connected; null if it named none',
      z.nullable(z.string()),
    ),
    connected_at: described('When it was connected', z.iso.datetime()),
  }),
)

export const providerConnectionsResource = z.array(providerConnectionResource)

export function toProviderConnectionsResource(
  connections: readonly ProviderConnection[],
): z.infer<typeof providerConnectionsResource> {
  return connections.map(({ providerId, issuer, subject, email, connectedAt }) => {
    return { provider: providerId, issuer, subject, email: email ?? null, connected_at: toRfc3339(connectedAt) }
  })
}
