import * as z from 'zod'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import type { AccountsStack } from '../../support/accountsStack.ts'
import {
  exchangeOf,
  PASSWORD,
  queryOf,
  registerClient,
  registerUser,
  responseIn,
  SECRET,
  signInAt,
} from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { requestToken, tokensIn } from '../token/tokenRequests.ts'

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** What a client that is not the operator's own asks for, to read the profile and to refresh its tokens, as the operator's own need not. */
export const PARTNER_SCOPE = 'profile email offline_access'

const sessions = z.strictObject({
  sessions: z.array(
    z.strictObject({
      id: z.string(),
      client: z.string(),
      browser: z.string().nullable(),
      created_at: z.string(),
      last_used_at: z.string(),
      current: z.boolean(),
    }),
  ),
  next_cursor: z.null(),
})
const consents = z.strictObject({
  consents: z.array(
    z.strictObject({ client_id: z.string(), name: z.string(), scopes: z.array(z.string()), granted_at: z.string() }),
  ),
  next_cursor: z.null(),
})

/** What a client has of a user: its tokens, and the request that refreshes them. */
export interface Granted {
  readonly access_token: string
  readonly refresh: Record<'client_id' | 'client_secret' | 'grant_type' | 'refresh_token', string>
}

/** How users sign in on a stack, what clients get there, and what the API says of it. */
export function visitsOf(stack: () => AccountsStack) {
  const house = (change: Partial<OAuthClient> = {}) =>
    registerClient(stack(), { name: 'House console', firstParty: true, ...change })

  /** A browser in which a user is signed in: a new one, where none is given. */
  async function visit(client: OAuthClient, person?: { id: string; email: string }, userAgent = FIREFOX) {
    const user = person ?? (await registerUser(stack()))
    const visitor = new Visitor(stack().baseUrl)
    const query = queryOf(client)
    const page = await visitor.get(query)
    const headers = { 'user-agent': userAgent }
    await visitor.submit(query, page, 'login', { fields: { email: user.email, password: PASSWORD }, headers })
    return { visitor, user }
  }

  /** The request that exchanges a code which the client is given in the browser’s session; the user allows what is asked. */
  async function coded(visitor: Visitor, client: OAuthClient, change: Record<string, string> = {}) {
    const query = queryOf(client, client.firstParty ? change : { scope: PARTNER_SCOPE, ...change })
    const met = await visitor.get(query)
    const answer = met.status === 303 ? met : await visitor.submit(query, met, 'allow')
    return exchangeOf(client, responseIn(answer).code ?? '')
  }

  async function granted(visitor: Visitor, client: OAuthClient, change: Record<string, string> = {}): Promise<Granted> {
    const { access_token, refresh_token } = tokensIn(await requestToken(stack(), await coded(visitor, client, change)))
    const credentials = { client_id: client.clientId, client_secret: SECRET }
    return { access_token, refresh: { ...credentials, grant_type: 'refresh_token', refresh_token } }
  }

  async function call(method: 'GET' | 'DELETE', path: string, { access_token }: Pick<Granted, 'access_token'>) {
    const headers = { authorization: `Bearer ${access_token}` }
    const response = await fetch(`${stack().baseUrl}/api/users/me${path}`, { method, headers })
    const text = await response.text()
    return { status: response.status, text, body: text === '' ? undefined : z.unknown().parse(JSON.parse(text)) }
  }

  const list = async (by: Pick<Granted, 'access_token'>) =>
    sessions.parse((await call('GET', '/sessions', by)).body).sessions

  return {
    house,
    visit,
    /** A user with tokens of the operator’s own client, and a client that is not. */
    async visitBeside() {
      const [own, partner] = [await house(), await registerClient(stack(), { name: 'Partner' })]
      const { user, visitor } = await visit(own)
      return { own, partner, user, visitor, mine: await granted(visitor, own) }
    },
    coded,
    granted,
    call,
    list,
    consents: async (by: Pick<Granted, 'access_token'>) =>
      consents.parse((await call('GET', '/consents', by)).body).consents,
    /** The id of the session that the tokens belong to. */
    ownId: async (by: Pick<Granted, 'access_token'>) => (await list(by)).find(({ current }) => current)?.id ?? '',
    /** What the next request with each of the tokens is answered. The refresh token is rotated where it is good. */
    async seen({ access_token, refresh }: Granted) {
      const me = await call('GET', '', { access_token })
      return [me.status, (await requestToken(stack(), refresh)).status]
    },
    /** Whether the browser is signed in. */
    async isSignedIn(visitor: Visitor, client: OAuthClient) {
      const { error } = responseIn(await visitor.get(queryOf(client, { prompt: 'none' })))
      return error !== 'login_required'
    },
    signInAgain: (visitor: Visitor, client: OAuthClient, email: string) =>
      signInAt(visitor, queryOf(client, { prompt: 'login' }), email),
  }
}
