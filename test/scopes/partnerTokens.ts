import * as z from 'zod'
import type { LocalInfo } from '../../infra/local/info.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { createOAuthClients } from '../../lib/adapters/dynamodb/oauthClient.ts'
import { digestSecret } from '../../lib/oauth/secretDigest.ts'

const partner = { client_id: 'partner', client_secret: 'partner-secret_4fJ8sKq2Lw9xTz7Rb1Vn' }
const codeAnswer = z.object({ code: z.string() })
const tokenAnswer = z.object({ access_token: z.string() })

/** Registers a client that is not the operator's own. Returns what gives it an access token of a user, by consent to a scope. */
export async function openPartner(info: LocalInfo): Promise<(userId: string, scope: string) => Promise<string>> {
  const database = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  await createOAuthClients(database, info.tables.accounts).create({
    clientId: partner.client_id,
    type: 'confidential',
    name: 'A partner',
    secretDigests: [digestSecret(partner.client_secret)],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [info.demo.redirect_uri],
    postLogoutRedirectUris: [],
    disabled: false,
  })
  database.destroy()
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(info.base_url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  return async (userId, scope) => {
    const { client_id } = partner
    const { code } = codeAnswer.parse(await post('/_local/authorization-codes', { user_id: userId, client_id, scope }))
    const grant = { ...partner, grant_type: 'authorization_code', code }
    return tokenAnswer.parse(await post('/api/oauth/token', grant)).access_token
  }
}
