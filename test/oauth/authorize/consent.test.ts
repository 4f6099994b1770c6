import { describe, expect, it } from '@jest/globals'
import { languages } from '../../../lib/core/language.ts'
import { scopes } from '../../../lib/core/scopes.ts'
import { texts } from '../../../lib/texts/texts.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { textOf } from './page.ts'
import { queryOf, registerClient, responseIn, signedInVisitor, signInAt } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()

describe('The consent page', () => {
  // [asvs 3.7.3 10.7.2]
  it('names the client, what the scopes are for, the user and where the browser goes next', async () => {
    const { visitor, client, user } = await signedInVisitor(stack())
    const { body } = await visitor.get(queryOf(client, { scope: 'profile billing:read profile' }))
    const text = textOf(body)
    expect(text).toMatch(/^Allow Console to use your account\? You will be redirected to console\.example\.com \./)
    expect(text).toContain(`Signed in as ${user.email} `)
    expect(text).toContain(
      'can: see your username and your organizations see subscriptions, invoices and payment methods of your organizations, as far as your role allows Allow Cancel',
    )
  })

  it.each(languages)('says what each scope is for, in the language %s', async (language) => {
    const { visitor, client } = await signedInVisitor(stack())
    const { body } = await visitor.get(queryOf(client, { scope: scopes.join(' '), ui_locales: language }))
    const text = textOf(body)
    for (const scope of scopes) expect(text).toContain(texts[language].consent.scopes[scope])
  })

  it('says that a client asks for nothing where it does', async () => {
    const { visitor, query } = await signedInVisitor(stack())
    expect(textOf((await visitor.get(query)).body)).toContain('It asks for nothing')
  })

  // [asvs 3.2.2]
  it('escapes the name of a client', async () => {
    const { visitor } = await signedInVisitor(stack())
    const client = await registerClient(stack(), { name: '<b onclick="evil()">Console</b>' })
    const { body } = await visitor.get(queryOf(client))
    expect(body).toContain('&lt;b onclick=&quot;evil()&quot;&gt;Console&lt;/b&gt;')
    expect(body).not.toContain('<b ')
  })

  describe('Given a user who allows', () => {
    it('answers a code, the state and the issuer, with 303 (RFC 6749 §4.1.2, RFC 9207 §2, RFC 9700 §4.12)', async () => {
      const { visitor, query } = await signedInVisitor(stack())
      const answer = await visitor.submit(query, await visitor.get(query), 'allow')
      expect(responseIn(answer)).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        state: 'state of the client',
        iss: ISSUER,
      })
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
    })

    it('omits a state that the client did not send', async () => {
      const { visitor, client } = await signedInVisitor(stack())
      const query = queryOf(client, { state: '' })
      const answer = await visitor.submit(query, await visitor.get(query), 'allow')
      expect(responseIn(answer)).toEqual({ code: expect.any(String), iss: ISSUER })
    })

    // [asvs 10.1.2]
    it('returns any state unchanged', async () => {
      const { visitor, client } = await signedInVisitor(stack())
      const state = 'a&b=c#d?e/f%20+ "ü'
      const query = queryOf(client, { state })
      const answer = await visitor.submit(query, await visitor.get(query), 'allow')
      expect(responseIn(answer)).toMatchObject({ state })
    })

    it('is asked again for new scopes only, also in a later session', async () => {
      const { visitor, client, user } = await signedInVisitor(stack())
      const both = queryOf(client, { scope: 'profile billing:read' })
      await visitor.submit(both, await visitor.get(both), 'allow')
      const later = new Visitor(stack().baseUrl)
      await signInAt(later, queryOf(client), user.email)
      for (const scope of ['profile', 'billing:read profile', '']) {
        expect(responseIn(await later.get(queryOf(client, { scope })))).toMatchObject({ code: expect.any(String) })
      }
      const more = queryOf(client, { scope: 'profile members:read' })
      expect(textOf((await later.get(more)).body)).toMatch(/^Allow Console/)
      await later.submit(more, await later.get(more), 'allow')
      const all = queryOf(client, { scope: 'profile billing:read members:read' })
      expect(responseIn(await later.get(all))).toMatchObject({ code: expect.any(String) })
    })

    // [asvs 10.7.1]
    it('is asked once for each client and each user', async () => {
      const { visitor, query, client } = await signedInVisitor(stack())
      await visitor.submit(query, await visitor.get(query), 'allow')
      const other = await registerClient(stack())
      expect(textOf((await visitor.get(queryOf(other))).body)).toMatch(/^Allow Console/)
      const another = await signedInVisitor(stack())
      expect(textOf((await another.visitor.get(queryOf(client))).body)).toMatch(/^Allow Console/)
    })

    it('is asked again by prompt=consent (OpenID Connect Core §3.1.2.1)', async () => {
      const { visitor, query } = await signedInVisitor(stack())
      await visitor.submit(query, await visitor.get(query), 'allow')
      const again = `${query}&prompt=consent`
      const page = await visitor.get(again)
      expect(textOf(page.body)).toMatch(/^Allow Console/)
      expect(responseIn(await visitor.submit(again, page, 'allow'))).toMatchObject({ code: expect.any(String) })
    })

    it('goes straight to the client with prompt=none', async () => {
      const { visitor, query } = await signedInVisitor(stack())
      expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ error: 'consent_required' })
      await visitor.submit(query, await visitor.get(query), 'allow')
      expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ code: expect.any(String) })
    })
  })

  describe('Given a user who cancels', () => {
    it('answers access_denied with state and iss, and stores nothing (RFC 6749 §4.1.2.1)', async () => {
      const { visitor, query } = await signedInVisitor(stack())
      const answer = await visitor.submit(query, await visitor.get(query), 'deny')
      expect(responseIn(answer)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 'state of the client',
        iss: ISSUER,
      })
      expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
    })
  })

  describe('Given a form submitted with another query than it was shown for', () => {
    // [threat 4]
    it.each(['allow', 'deny'])('matches the redirect URI with the registered ones again: %s', async (action) => {
      const { visitor, query, client } = await signedInVisitor(stack())
      const page = await visitor.get(query)
      const evil = queryOf(client, { redirect_uri: 'https://evil.example.com/' })
      expect(await visitor.submit(evil, page, action)).toMatchObject({ status: 400, location: null })
    })

    // [asvs 3.7.2]
    it('redirects nowhere else after a sign-in: there is no parameter for that', async () => {
      const { visitor, query, user } = await signedInVisitor(stack())
      for (const name of ['next', 'return_to', 'continue', 'redirect', 'returnTo']) {
        const { location } = await signInAt(visitor, `${query}&prompt=login&${name}=//evil.example.com`, user.email)
        expect(location).toMatch(/^\?client_id=/)
      }
    })
  })

  describe('Given a first-party client', () => {
    it('asks nothing, unless the client sends prompt=consent', async () => {
      const { visitor } = await signedInVisitor(stack())
      const own = await registerClient(stack(), { firstParty: true })
      expect(responseIn(await visitor.get(queryOf(own)))).toMatchObject({ code: expect.any(String) })
      expect(textOf((await visitor.get(queryOf(own, { prompt: 'consent' }))).body)).toMatch(/^Allow Console/)
    })
  })
})

describe('A native client', () => {
  const registered = 'http://127.0.0.1/callback'

  async function nativeClient(redirectUris = [registered, 'http://[::1]/callback']) {
    const { visitor } = await signedInVisitor(stack())
    return { visitor, client: await registerClient(stack(), { type: 'public', redirectUris }) }
  }

  it.each(['http://127.0.0.1:49152/callback', 'http://127.0.0.1/callback', 'http://[::1]:8080/callback'])(
    'may listen on any port of a loopback address: %s (RFC 8252 §7.3)',
    async (redirect_uri) => {
      const { visitor, client } = await nativeClient()
      const query = queryOf(client, { redirect_uri })
      const answer = await visitor.submit(query, await visitor.get(query), 'allow')
      expect(responseIn(answer, redirect_uri)).toMatchObject({ code: expect.any(String), iss: ISSUER })
    },
  )

  it.each([
    ['another path', 'http://127.0.0.1:49152/evil'],
    ['a port that is none', 'http://127.0.0.1:99999/callback'],
    ['a user name before another host', 'http://127.0.0.1:80@evil.example.com/callback'],
    ['a host that begins like it', 'http://127.0.0.1.evil.example.com/callback'],
    ['another loopback address', 'http://127.0.0.2:49152/callback'],
    ['localhost, which may resolve to anything (§8.3)', 'http://localhost:49152/callback'],
    ['a query', 'http://127.0.0.1:49152/callback?evil'],
    ['https', 'https://127.0.0.1:49152/callback'],
  ])('may not use %s (RFC 8252 §7.3)', async (_, redirect_uri) => {
    const { visitor, client } = await nativeClient()
    expect(await visitor.get(queryOf(client, { redirect_uri }))).toMatchObject({ status: 400, location: null })
  })

  it('may use any port at a loopback address only, as any client of a stage for development may', async () => {
    const { visitor, client } = await nativeClient(['https://app.example.com/callback'])
    const other = queryOf(client, { redirect_uri: 'https://app.example.com:8443/callback' })
    expect((await visitor.get(other)).status).toBe(400)
    const confidential = await registerClient(stack(), { redirectUris: [registered] })
    const port = queryOf(confidential, { redirect_uri: 'http://127.0.0.1:49152/callback' })
    expect((await visitor.get(port)).status).toBe(200)
  })

  it('comes back to its private-use scheme, which the page names and its form may lead to (RFC 8252 §7.1)', async () => {
    const redirect_uri = 'com.example.app:/callback'
    const { visitor, client } = await nativeClient([redirect_uri])
    const query = queryOf(client, { redirect_uri })
    const page = await visitor.get(query)
    expect(textOf(page.body)).toContain('an app on this device ( com.example.app )')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;")
    const answer = await visitor.submit(query, page, 'allow')
    expect(responseIn(answer, redirect_uri)).toMatchObject({ code: expect.any(String), iss: ISSUER })
    // Any app may take the scheme for its own.
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
  })

  it('of the operator needs no consent on a stage for development', async () => {
    const { visitor } = await signedInVisitor(stack())
    const redirect_uri = 'http://localhost:5173/callback'
    const own = await registerClient(stack(), { type: 'public', firstParty: true, redirectUris: [redirect_uri] })
    expect(responseIn(await visitor.get(queryOf(own, { redirect_uri })), redirect_uri)).toMatchObject({
      code: expect.any(String),
    })
  })

  // [asvs 10.7.1]
  it('needs consent every time, because any program may listen there (RFC 8252 §8.6)', async () => {
    const { visitor, client } = await nativeClient()
    const query = queryOf(client, { redirect_uri: registered })
    await visitor.submit(query, await visitor.get(query), 'allow')
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
  })
})
