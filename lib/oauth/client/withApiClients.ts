import type { Clock } from '../../core/clock.ts'
import { apiClientIdSchema } from '../../core/ids.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { ApiClientLogin, ApiClientLogins, OAuthClients } from '../ports.ts'

/**
 * The registered clients and the API clients of organizations together, for the endpoints that authenticate clients. The form of the id says
 * which store to ask, so a look-up is a single read.
 */
export function withApiClients(clients: OAuthClients, apiClients: ApiClientLogins, clock: Clock): OAuthClients {
  return {
    async find(clientId) {
      const id = apiClientIdSchema.safeParse(clientId).data
      if (id === undefined) return clients.find(clientId)
      const login = await apiClients.find(id)
      return login && toOAuthClient(login, clock.now())
    },
  }
}

function toOAuthClient({ clientId, name, scopes, ...secrets }: ApiClientLogin, now: number): OAuthClient {
  const { secretDigest, previousSecret } = secrets
  const isOverlapping = previousSecret !== undefined && now < previousSecret.validUntil
  return {
    clientId,
    type: 'confidential',
    name,
    secretDigests: [secretDigest, ...(isOverlapping ? [previousSecret.digest] : [])],
    grantTypes: ['client_credentials'],
    redirectUris: [],
    postLogoutRedirectUris: [],
    disabled: false,
    apiClient: { clientId, scopes },
  }
}
