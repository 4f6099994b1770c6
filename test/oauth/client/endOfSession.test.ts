import { describe, expect, it } from '@jest/globals'
import * as openid from 'openid-client'
import { byPassword } from '../../../lib/core/authentication.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { formFields, textOf } from '../authorize/page.ts'
import { exchangeOf, queryOf, registerClient, responseIn, signedInVisitor, signInAt } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { POST_LOGOUT_REDIRECT_URI, refusal, register, requestToken, signIn, tokensIn } from '../token/tokenRequests.ts'
import { discover } from './stackClient.ts'

const stack = useAccountsStack()

/** A user who is signed in at the hosted pages, with the cookie of that. */
async function signedIn() {
  const registered = await register(stack())
  const secret = stack().ids.secret()
  const now = stack().clock.now()
  const session = {
    id: stack().ids.uuid(),
    userId: registered.userId,
    securityRev: 0,
    authentication: { at: now, methods: byPassword },
    validUntil: now + 3_600_000,
  }
  await stack().sessions.start(digestSecret(secret), session, false)
  const isSignedIn = async () => (await stack().sessions.find(digestSecret(secret))) !== undefined
  return { ...registered, cookie: `__Host-session=${secret}`, isSignedIn }
}

async function send(query: Record<string, string> | string, init: RequestInit = {}) {
  const url = `${stack().baseUrl}/api/oauth/logout?${new URLSearchParams(query)}`
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const { status, headers } = response
  return {
    status,
    headers,
    location: headers.get('location'),
    cookies: headers.getSetCookie(),
    body: await response.text(),
  }
}

const ask = (query: Record<string, string> | string, cookie = '') => send(query, { headers: { cookie } })

/** Presses the button of the page that `query` led to. */
function press(query: Record<string, string>, cookie: string, fields: Record<string, string>, headers = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return send(query, { method: 'POST', headers: { ...form, cookie, ...headers }, body })
}

const endedCookie = [expect.stringMatching(/^__Host-session=; .*Max-Age=0/)]

describe('GET /api/oauth/logout', () => {
  describe('Given a user who is signed in', () => {
    // [asvs 3.5.3 10.6.2] [threat 34]
    it('asks, and ends nothing, because no request proves that the user wants it (RP-Initiated Logout 1.0 §2)', async () => {
      const { cookie, credentials, isSignedIn } = await signedIn()
      const { client_id } = credentials
      const page = await ask({ client_id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 's' }, cookie)
      expect([page.status, page.cookies]).toEqual([200, []])
      expect(textOf(page.body)).toMatch(/Sign out\? A console asks to sign you out\. Signed in as .*@example\.com/)
      expect(await isSignedIn()).toBe(true)
    })

    it('asks without a client as well', async () => {
      const { cookie } = await signedIn()
      const page = await ask('', cookie)
      expect(page.status).toBe(200)
      expect(textOf(page.body)).not.toContain('asks to sign you out')
    })

    it('answers a page that cannot be framed or cached and sends no referrer (RFC 9700 §4.16)', async () => {
      const { cookie } = await signedIn()
      const { headers } = await ask('', cookie)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    })
  })

  describe('Given a browser without a session', () => {
    it('redirects to the client at once, with its state', async () => {
      const { client_id } = (await register(stack())).credentials
      const query = { client_id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 'a b&c' }
      const { status, location } = await ask(query)
      expect([status, location]).toEqual([303, `${POST_LOGOUT_REDIRECT_URI}?state=a+b%26c`])
    })

    it('redirects to an app, and to any port of a loopback address on a stage for development', async () => {
      const client = await registerClient(stack(), {
        type: 'public',
        postLogoutRedirectUris: ['com.example.app:/signed-out', 'http://127.0.0.1:8080/signed-out'],
      })
      for (const uri of ['com.example.app:/signed-out', 'http://127.0.0.1:49152/signed-out']) {
        const { location } = await ask({ client_id: client.clientId, post_logout_redirect_uri: uri, state: 's' })
        expect(location).toBe(`${uri}?state=s`)
      }
    })

    it('answers a page where the request names no address, and clears a cookie without a session', async () => {
      const gone = await ask('', `__Host-session=${stack().ids.secret()}`)
      expect([gone.status, gone.cookies]).toEqual([200, endedCookie])
      expect(textOf(gone.body)).toContain('You are signed out')
      expect((await ask('')).cookies).toEqual([])
    })
  })

  describe('Given a redirect URI that cannot be trusted', () => {
    const evil = 'https://evil.example.com/'

    // [asvs 3.7.2] [threat 8]
    it.each([
      ['no client', (_: string) => ({ post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })],
      [
        'an unknown client',
        (_: string) => ({ client_id: 'unknown', post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI }),
      ],
      ['an address that is not registered', (client_id: string) => ({ client_id, post_logout_redirect_uri: evil })],
      [
        'a longer address',
        (client_id: string) => ({ client_id, post_logout_redirect_uri: `${POST_LOGOUT_REDIRECT_URI}/more` }),
      ],
      ['a script', (client_id: string) => ({ client_id, post_logout_redirect_uri: 'javascript:alert(1)' })],
      [
        'the address for codes',
        (client_id: string) => ({ client_id, post_logout_redirect_uri: 'https://console.example.com/oauth/callback' }),
      ],
    ])('answers an error page to %s, without any of it (RP-Initiated Logout 1.0 §3)', async (_, query) => {
      const { cookie, credentials, isSignedIn } = await signedIn()
      const { status, location, body } = await ask(query(credentials.client_id), cookie)
      expect([status, location]).toEqual([400, null])
      expect(body).not.toContain('evil')
      expect(body).not.toContain('<form')
      expect(await isSignedIn()).toBe(true)
    })

    it('answers an error page to a parameter that is repeated', async () => {
      const { client_id } = (await register(stack())).credentials
      const query = `${new URLSearchParams({ client_id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI })}`
      expect((await ask(`${query}&post_logout_redirect_uri=${encodeURIComponent(evil)}`)).status).toBe(400)
    })

    it('answers an error page for a disabled client', async () => {
      const { client_id } = (await register(stack())).credentials
      const client = await stack().clients.find(client_id)
      if (client) await stack().clients.put({ ...client, disabled: true })
      expect((await ask({ client_id })).status).toBe(400)
    })
  })
})

describe('POST /api/oauth/logout', () => {
  describe('Given a request of a client (RP-Initiated Logout 1.0 §2)', () => {
    it('leads to the same request by GET, which asks the user', async () => {
      const { cookie, credentials, isSignedIn } = await signedIn()
      const { client_id } = credentials
      const query = { client_id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 'a b&c' }
      const headers = { origin: 'https://console.example.com', 'sec-fetch-site': 'cross-site' }
      const { status, location, cookies } = await press({}, '', query, headers)
      expect([status, cookies]).toEqual([303, []])
      expect(location).toBe(`?${new URLSearchParams(query)}`)
      const page = await ask(`${location}`.slice(1), cookie)
      expect(textOf(page.body)).toContain('A console asks to sign you out')
      expect(await isSignedIn()).toBe(true)
    })

    it('needs no parameter, and passes on only those of such a request', async () => {
      expect((await press({}, '', {})).location).toBe('?')
      expect((await press({}, '', { state: 's', logout_hint: 'h', password: 'secret' })).location).toBe('?state=s')
    })

    it('is refused if it is too long for an address', async () => {
      expect((await press({}, '', { state: 'x'.repeat(8192) })).status).toBe(400)
    })
  })

  describe('Given the form of its page', () => {
    // [asvs 7.4.1]
    it('ends the session, clears its cookie, and redirects to the client with 303', async () => {
      const { cookie, credentials, isSignedIn } = await signedIn()
      const query = { client_id: credentials.client_id, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 's' }
      const page = await ask(query, cookie)
      const { status, location, cookies } = await press(query, cookie, formFields(page.body))
      expect([status, location, cookies]).toEqual([303, `${POST_LOGOUT_REDIRECT_URI}?state=s`, endedCookie])
      expect(await isSignedIn()).toBe(false)
    })

    it('answers a page where the request names no address, as often as it is sent', async () => {
      const { cookie, isSignedIn } = await signedIn()
      const fields = formFields((await ask('', cookie)).body)
      for (let time = 0; time < 2; time += 1) {
        const answer = await press({}, cookie, fields)
        expect([answer.status, answer.cookies]).toEqual([200, endedCookie])
        expect(textOf(answer.body)).toContain('You are signed out')
      }
      expect(await isSignedIn()).toBe(false)
    })

    // [asvs 7.6.1]
    it('does not revoke tokens that were not given in this session', async () => {
      const user = await signedIn()
      const { refresh } = await signIn(stack(), user)
      await press({}, user.cookie, formFields((await ask('', user.cookie)).body))
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })
  })

  /** The exchange of a code that the client is given in the visitor’s session. */
  async function authorized(visitor: Visitor, client: OAuthClient, scope = 'offline_access') {
    const query = queryOf(client, { scope })
    const met = await visitor.get(query)
    const answer = met.status === 303 ? met : await visitor.submit(query, met, 'allow')
    return exchangeOf(client, responseIn(answer).code ?? '')
  }

  describe('Given clients that were authorized in this session', () => {
    const signOut = async ({ cookie = '' }: Visitor) => press({}, cookie, formFields((await ask('', cookie)).body))

    async function refreshOf(exchange: Record<string, string> & { client_id: string; client_secret: string }) {
      const { refresh_token } = tokensIn(await requestToken(stack(), exchange))
      const { client_id, client_secret } = exchange
      return { client_id, client_secret, grant_type: 'refresh_token', refresh_token }
    }

    const console = () => registerClient(stack(), { name: 'Own console', firstParty: true })

    // [threat 15.7a]
    it('says so, and ends the tokens of first-party clients, not those of others nor of another browser', async () => {
      const { visitor, user, client: other } = await signedInVisitor(stack())
      const own = await console()
      const elsewhere = new Visitor(stack().baseUrl)
      await signInAt(elsewhere, queryOf(other), user.email)
      const mine = await refreshOf(await authorized(visitor, own))
      const allowed = await refreshOf(await authorized(visitor, other))
      const away = await refreshOf(await authorized(elsewhere, own))
      const rotated = { ...mine, refresh_token: tokensIn(await requestToken(stack(), mine)).refresh_token }

      const page = await ask('', visitor.cookie)
      expect(textOf(page.body)).toContain('signs you out of the')
      expect((await requestToken(stack(), rotated)).status).toBe(200)
      await signOut(visitor)
      for (const token of [mine, rotated])
        expect(await requestToken(stack(), token)).toMatchObject(refusal('invalid_grant'))
      for (const token of [allowed, away]) expect((await requestToken(stack(), token)).status).toBe(200)
    })

    it('refuses a code that such a client got before and exchanges after', async () => {
      const { visitor, client: other } = await signedInVisitor(stack())
      const [mine, allowed] = [await authorized(visitor, await console()), await authorized(visitor, other)]
      await signOut(visitor)
      expect(await requestToken(stack(), mine)).toMatchObject(refusal('invalid_grant'))
      expect((await requestToken(stack(), allowed)).status).toBe(200)
    })

    it('ends what was given before the user signed in again in the same browser', async () => {
      const { visitor, user, query } = await signedInVisitor(stack())
      const mine = await refreshOf(await authorized(visitor, await console()))
      await signInAt(visitor, `${query}&prompt=login`, user.email)
      await signOut(visitor)
      expect(await requestToken(stack(), mine)).toMatchObject(refusal('invalid_grant'))
    })

    it('ends all of it once it is sent again after the store failed in the middle', async () => {
      const { visitor } = await signedInVisitor(stack())
      const own = await console()
      const tokens = [await refreshOf(await authorized(visitor, own)), await refreshOf(await authorized(visitor, own))]
      stack().database.fail({ operation: 'PutItem', times: 10, kind: 'error' })
      expect((await signOut(visitor)).status).toBe(503)
      stack().database.reset()
      expect((await signOut(visitor)).status).toBe(200)
      for (const token of tokens) expect(await requestToken(stack(), token)).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('Given an id_token as a hint', () => {
    /** The id_token that the client is given in the visitor’s session, and the request to end it. */
    async function hinted(visitor: Visitor, client: OAuthClient) {
      const exchange = await authorized(visitor, client, 'openid offline_access')
      const { id_token, refresh_token } = tokensIn(await requestToken(stack(), exchange))
      const { client_id, client_secret } = exchange
      const end = { id_token_hint: id_token, post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 's' }
      return { end, refresh: { client_id, client_secret, grant_type: 'refresh_token', refresh_token } }
    }
    const own = () => registerClient(stack(), { firstParty: true, postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] })

    it('of a first-party client in this session ends it without a question, after its refresh token is revoked too', async () => {
      const { visitor } = await signedInVisitor(stack())
      const { end, refresh } = await hinted(visitor, await own())
      const { client_id, client_secret, refresh_token } = refresh
      const revoked = new URLSearchParams({ client_id, client_secret, token: refresh_token })
      await fetch(`${stack().baseUrl}/api/oauth/revoke`, { method: 'POST', body: revoked })
      const { status, location, cookies } = await ask(end, visitor.cookie)
      expect([status, location, cookies]).toEqual([303, `${POST_LOGOUT_REDIRECT_URI}?state=s`, endedCookie])
      expect(textOf((await ask('', visitor.cookie)).body)).toContain('You are signed out')
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })

    // [threat 34]
    it('of another client asks', async () => {
      const { visitor } = await signedInVisitor(stack())
      const other = await registerClient(stack(), { postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] })
      const { end } = await hinted(visitor, other)
      expect((await ask(end, visitor.cookie)).status).toBe(200)
      expect(textOf((await ask('', visitor.cookie)).body)).toContain('Signed in as')
    })

    it('of a client that is not the operator’s own any more asks', async () => {
      const { visitor } = await signedInVisitor(stack())
      const client = await own()
      const { end } = await hinted(visitor, client)
      await stack().clients.put({ ...client, firstParty: false })
      expect((await ask(end, visitor.cookie)).status).toBe(200)
    })

    // [threat 34]
    it('of another browser, of another user, or of a session that has ended asks', async () => {
      const { visitor, user, query } = await signedInVisitor(stack())
      const client = await own()
      const before = await hinted(visitor, client)
      await ask(before.end, visitor.cookie)
      await signInAt(visitor, query, user.email)
      const elsewhere = new Visitor(stack().baseUrl)
      await signInAt(elsewhere, query, user.email)
      const others = [
        before,
        await hinted(elsewhere, client),
        await hinted((await signedInVisitor(stack())).visitor, client),
      ]
      for (const { end } of others) expect((await ask(end, visitor.cookie)).status).toBe(200)
      expect(textOf((await ask('', visitor.cookie)).body)).toContain('Signed in as')
    })
  })

  describe('Given a form of another origin', () => {
    // [asvs 3.5.1]
    it.each([
      ['with an empty token', { csrf: '' }, {}],
      ['with another token', { csrf: 'x'.repeat(43) }, {}],
      ['from another site', undefined, { 'sec-fetch-site': 'cross-site' }],
      ['from another origin', undefined, { origin: 'https://evil.example.com' }],
    ])('answers 403 to one %s, and ends nothing', async (_, fields, headers) => {
      const { cookie, isSignedIn } = await signedIn()
      const own = formFields((await ask('', cookie)).body)
      const { status, cookies } = await press({}, cookie, fields ?? own, headers)
      expect([status, cookies]).toEqual([403, []])
      expect(await isSignedIn()).toBe(true)
    })

    it('answers an error page where the query is not the one that was shown', async () => {
      const { cookie, isSignedIn } = await signedIn()
      const fields = formFields((await ask('', cookie)).body)
      const query = { post_logout_redirect_uri: 'https://evil.example.com/' }
      const { status, location } = await press(query, cookie, fields)
      expect([status, location]).toEqual([400, null])
      expect(await isSignedIn()).toBe(true)
    })
  })

  describe('Given a store that is unavailable', () => {
    it('answers 503 as a page, and ends the session when it is sent again', async () => {
      const { cookie, isSignedIn } = await signedIn()
      const fields = formFields((await ask('', cookie)).body)
      stack().database.fail({ operation: 'DeleteItem', times: 10, kind: 'error' })
      expect((await press({}, cookie, fields)).status).toBe(503)
      stack().database.reset()
      expect((await press({}, cookie, fields)).status).toBe(200)
      expect(await isSignedIn()).toBe(false)
    })
  })
})

describe('The end of a session with a client library', () => {
  it('is requested where openid-client sends the browser', async () => {
    const { credentials } = await register(stack())
    const configuration = await discover(stack(), credentials, 'oidc')
    const parameters = { post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI, state: 'mine' }
    const { pathname, search } = openid.buildEndSessionUrl(configuration, parameters)
    expect(pathname).toBe('/api/oauth/logout')
    const { status, location } = await ask(search)
    expect([status, location]).toEqual([303, `${POST_LOGOUT_REDIRECT_URI}?state=mine`])
  })
})
