import type { LocalInfo } from '../../infra/local/info.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../lib/adapters/dynamodb/oauthClientStore.ts'
import { digestSecret } from '../../lib/oauth/secretDigest.ts'

/** A client that is not the operator's own: its users are asked, and it acts as far as its scopes go. */
export const partner = { client_id: 'partner', client_secret: 'partner-secret_4fJ8sKq2Lw9xTz7Rb1Vn' }

/** Of the partner's app on a user's own machine. */
const loopbackUri = 'http://127.0.0.1:8080/callback'

/** Registers `partner` in a stack, with the redirect URI of the demo's client and one of a loopback address. */
export async function registerPartner(info: LocalInfo): Promise<void> {
  const database = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  await createOAuthClients(database, info.tables.accounts).create({
    clientId: partner.client_id,
    type: 'confidential',
    name: 'A partner',
    secretDigests: [digestSecret(partner.client_secret)],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [info.demo.redirect_uri, loopbackUri],
    postLogoutRedirectUris: [],
    disabled: false,
  })
  database.destroy()
}
