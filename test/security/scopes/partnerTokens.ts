import * as z from 'zod'
import type { LocalInfo } from '../../../infra/local/info.ts'
import { partner, registerPartner } from '../../support/partner.ts'

const codeAnswer = z.object({ code: z.string() })
const tokenAnswer = z.object({ access_token: z.string() })

/** Registers a client that is not the operator's own. Returns what gives it an access token of a user, by consent to a scope; the same token if asked again. */
export async function openPartner(info: LocalInfo): Promise<(userId: string, scope: string) => Promise<string>> {
  await registerPartner(info)
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(info.base_url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  async function newToken(userId: string, scope: string): Promise<string> {
    const { client_id } = partner
    const { code } = codeAnswer.parse(await post('/_local/authorization-codes', { user_id: userId, client_id, scope }))
    const grant = { ...partner, grant_type: 'authorization_code', code }
    return tokenAnswer.parse(await post('/api/oauth/token', grant)).access_token
  }
  const tokens = new Map<string, Promise<string>>()
  return (userId, scope) => {
    const name = `${userId} ${scope}`
    const token = tokens.get(name) ?? newToken(userId, scope)
    tokens.set(name, token)
    return token
  }
}
