import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { useUpGuesses } from '../../support/useUpGuesses.ts'
import { textOf } from './page.ts'
import { PASSWORD, queryOf, registerClient, registerUser, responseIn, signedInVisitor, signInAt } from './people.ts'
import { Visitor } from './visitor.ts'

const stack = useAccountsStack()

async function stranger() {
  const [user, client] = await Promise.all([registerUser(stack()), registerClient(stack())])
  return { user, client, query: queryOf(client), visitor: new Visitor(stack().baseUrl) }
}

const secretIn = ({ cookie = '' }: Visitor) => cookie.replace('__Host-session=', '')

describe('The sign-in page', () => {
  describe('Given a visitor who is not signed in', () => {
    it('names the client and asks for email address and password', async () => {
      const { visitor, query } = await stranger()
      const { status, body } = await visitor.get(query)
      expect(status).toBe(200)
      expect(textOf(body)).toBe(
        'Sign in to continue to Console Email address Password Sign in Passkeys need JavaScript, which is off in this browser. Forgot password? No account yet? Create an account',
      )
    })

    // [asvs 3.2.1 3.4.3 6.2.7 14.3.3]
    it('cannot be framed, cached or sniffed, sends no referrer and runs no script but its own (RFC 9700 §4.16)', async () => {
      const { visitor, query, user } = await stranger()
      const pages = [
        await visitor.get(query),
        await visitor.get('client_id=unknown'),
        await signInAt(visitor, query, user.email, 'wrong'),
        await visitor.post(query, 'action=allow'),
      ]
      await signInAt(visitor, query, user.email)
      for (const { headers, body } of [...pages, await visitor.get(query)]) {
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        const policy = headers.get('content-security-policy')
        expect(policy).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}';( script-src( 'sha256-[\w+/=]{44}')+;)?( connect-src 'self';)? form-action 'self'( https:)?; base-uri 'none'; frame-ancestors 'none'$/,
        )
        const scripts = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
        const digests = scripts.map((script) => createHash('sha256').update(script).digest('base64'))
        const [scriptSources = ''] = /script-src [^;]*/.exec(policy ?? '') ?? []
        expect([...scriptSources.matchAll(/'sha256-([^']*)'/g)].map(([, digest]) => digest)).toEqual(digests)
        // The script that shows passwords, and the one that uses passkeys, which alone asks this service for something.
        expect(digests).toHaveLength(body.includes('type="password"') ? 2 : 0)
        expect(policy?.includes('connect-src')).toBe(body.includes('data-passkey='))
        expect(body.replaceAll(/<script>[\s\S]*?<\/script>/g, '')).not.toMatch(
          /<script|javascript:|\son\w+=|<img|<link|@import|url\(/i,
        )
      }
    })

    // [asvs 3.3.1 3.3.4]
    it('sets a cookie that only this host can read or set, over https, and no script can (ASVS 5.0 §3.3)', async () => {
      const { visitor, query, user } = await stranger()
      await signInAt(visitor, query, user.email)
      const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
      expect(visitor.received).toEqual([
        expect.stringMatching(new RegExp(`^__Host-session=[\\w-]{43}; ${attributes}$`)),
        expect.stringMatching(new RegExp(`^__Host-session=[\\w-]{43}; ${attributes}; Max-Age=43200$`)),
        expect.stringMatching(new RegExp(`^__Host-known-browser=[\\w.~-]{98}; ${attributes}; Max-Age=31536000$`)),
      ])
    })

    // [threat 79]
    it('prefills the login_hint, escaped (OpenID Connect Core §3.1.2.1)', async () => {
      const { visitor, client } = await stranger()
      const { body } = await visitor.get(queryOf(client, { login_hint: '"><script>alert(1)</script>' }))
      expect(body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    })

    // [asvs 3.2.2]
    it('escapes the query in the page', async () => {
      const { visitor, client } = await stranger()
      const { body } = await visitor.get(`${queryOf(client)}&x="><script>alert(1)</script>`)
      expect(body).not.toContain('<script>alert')
    })
  })

  describe('Given the right password', () => {
    it('redirects with 303 to a GET, never 307 (RFC 9700 §4.12)', async () => {
      const { visitor, query, user } = await stranger()
      const answer = await signInAt(visitor, query, user.email)
      expect({ status: answer.status, location: answer.location, body: answer.body }).toEqual({
        status: 303,
        location: `?${query}`,
        body: '',
      })
      expect(answer.headers.get('cache-control')).toBe('no-store')
    })

    it('accepts the email address in any case', async () => {
      const { visitor, query, user } = await stranger()
      expect((await signInAt(visitor, query, user.email.toUpperCase())).status).toBe(303)
    })

    // [asvs 7.2.4] [threat 29]
    it('starts a session under a new secret, so that none can be planted (ASVS 5.0 §7.2.4)', async () => {
      const { visitor, query, user } = await stranger()
      const planted = await visitor.get(query)
      const before = secretIn(visitor)
      await visitor.submit(query, planted, 'login', { fields: { email: user.email, password: PASSWORD } })
      expect(secretIn(visitor)).not.toBe(before)

      const attacker = new Visitor(stack().baseUrl)
      attacker.cookie = `__Host-session=${before}`
      expect(textOf((await attacker.get(query)).body)).toMatch(/^Sign in/)
    })

    // [asvs 7.2.4]
    it('ends the session that the browser had before', async () => {
      const { visitor, query, user, client } = await signedInVisitor(stack())
      const old = new Visitor(stack().baseUrl)
      old.cookie = visitor.cookie
      await signInAt(visitor, queryOf(client, { prompt: 'login' }), user.email)
      expect(textOf((await old.get(query)).body)).toMatch(/^Sign in/)
      expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
    })

    // [asvs 3.3.4 7.2.3]
    it('stores nothing but the digest of the secret, and logs neither', async () => {
      const { visitor, query, user } = await stranger()
      await signInAt(visitor, query, user.email)
      const atRest = JSON.stringify(await stack().stored())
      expect(atRest).toContain(digestSecret(secretIn(visitor)))
      for (const secret of [secretIn(visitor), PASSWORD]) expect(atRest).not.toContain(secret)
      for (const secret of [secretIn(visitor), PASSWORD, user.email]) expect(stack().logged()).not.toContain(secret)
    })
  })

  describe('Given the wrong password', () => {
    it('answers 400 and the form again, with the email address, without the password and without a new cookie', async () => {
      const { visitor, query, user } = await stranger()
      const answer = await signInAt(visitor, query, user.email, 'wrong password')
      expect(answer.status).toBe(400)
      expect(textOf(answer.body)).toContain('Incorrect email address or password.')
      expect(answer.body).toContain(`value="${user.email}"`)
      expect(answer.body).not.toContain('wrong password')
      expect(answer.body).toContain('role="alert"')
      expect(answer.body.match(/aria-describedby="problem" aria-invalid="true"/g)).toHaveLength(2)
      expect([...answer.body.matchAll(/id="(\w+)"[^>]* autofocus/g)].map(([, id]) => id)).toEqual(['password'])
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(
        (await visitor.submit(query, answer, 'login', { fields: { email: user.email, password: PASSWORD } })).status,
      ).toBe(303)
    })

    it('answers the same for an unknown email address and for a user who is switched off', async () => {
      const { visitor, query, user } = await stranger()
      const off = await registerUser(stack(), { isActive: false })
      const said = async (email: string, password: string) =>
        (await signInAt(visitor, query, email, password)).body.replaceAll(email, '')
      const known = await said(user.email, 'wrong')
      expect(await said('unknown@example.com', 'wrong')).toBe(known)
      expect(await said(off.email, PASSWORD)).toBe(known)
    })

    // [catch checkPassword.checkPassword]
    it('answers 429 with Retry-After after too many attempts, also to the right password, until the block ends', async () => {
      const { visitor, query, user } = await stranger()
      await useUpGuesses(stack().guesses, { kind: 'account', subject: emailKey(user.email) }, stack().clock.now())
      const answer = await signInAt(visitor, query, user.email)
      expect(answer.status).toBe(429)
      const retryAfter = Number(answer.headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThan(0)
      expect(textOf(answer.body)).toContain(`Try again in ${Math.ceil(retryAfter / 60)} minutes`)
      stack().advance(retryAfter + 1)
      expect((await signInAt(visitor, query, user.email)).status).toBe(303)
    })
  })

  describe('Given a form that cannot be read', () => {
    // [asvs 2.2.2]
    it.each([
      ['another action', 'action=evil'],
      ['no action', 'email=a%40b.example'],
      ['a repeated field', 'action=login&action=allow'],
      ['nothing', ''],
    ])('answers a page with 400 to %s', async (_, body) => {
      const { visitor, query } = await stranger()
      await visitor.get(query)
      expect((await visitor.post(query, body)).status).toBe(400)
    })

    it('answers a page to JSON, and to more than 32 KiB', async () => {
      const { visitor, query } = await stranger()
      const json = await visitor.post(query, '{"action":"login"}', { headers: { 'content-type': 'application/json' } })
      expect(json.status).toBe(400)
      const large = await visitor.post(query, `action=login&password=${'x'.repeat(33 * 1024)}`)
      expect(large.status).toBe(413)
      expect(large.headers.get('content-type')).toBe('text/html; charset=utf-8')
    })
  })

  describe('Given a store that is unavailable', () => {
    // [asvs 16.5.2]
    it('answers a page with 503 and Retry-After, to both methods', async () => {
      const { visitor, query, user } = await stranger()
      const page = await visitor.get(query)
      stack().database.fail({ operation: 'GetItem', times: 10, kind: 'error' })
      const answer = await visitor.get(query)
      expect({ status: answer.status, retry: answer.headers.get('retry-after') }).toEqual({ status: 503, retry: '5' })
      expect(textOf(answer.body)).toContain('It is safe to try again.')
      stack().database.reset()
      stack().database.fail({ operation: 'UpdateItem', times: 10, kind: 'error' })
      const fields = { email: user.email, password: PASSWORD }
      expect((await visitor.submit(query, page, 'login', { fields })).status).toBe(503)
    })
  })
})

describe('A session', () => {
  // [asvs 7.3.2]
  it('expires twelve hours after the sign-in, whether it is used or not (ASVS 5.0 §7.3.2)', async () => {
    const { visitor, query } = await signedInVisitor(stack())
    stack().advance(12 * 3600 - 30)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
    // A sign-in may take seconds of the machine's own.
    stack().advance(60)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
  })

  // [asvs 7.4.1]
  it('ends with “Use another account”, which clears its cookie (ASVS 5.0 §7.4.1)', async () => {
    const { visitor, query } = await signedInVisitor(stack())
    const thief = new Visitor(stack().baseUrl)
    thief.cookie = visitor.cookie
    const answer = await visitor.submit(query, await visitor.get(query), 'switch')
    expect(answer).toMatchObject({ status: 303, location: `?${query}` })
    expect(visitor.received.at(-1)).toBe('__Host-session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(textOf((await thief.get(query)).body)).toMatch(/^Sign in/)
  })

  // [asvs 7.2.1 7.4.2 7.4.5]
  it('ends when its user is switched off', async () => {
    const { visitor, query, user } = await signedInVisitor(stack())
    await stack().setActive(user.id, false)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
  })

  it('is not enough for prompt=login, which asks for one sign-in and fails with prompt=none (OpenID Connect Core §3.1.2.1)', async () => {
    const { visitor, client, user } = await signedInVisitor(stack())
    const query = queryOf(client, { prompt: 'login consent' })
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    const answer = await signInAt(visitor, query, user.email)
    expect(answer.location).toBe(`?${query}`)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow Console/)
  })

  it('that began for one request does not answer prompt=login of another, nor its own after 10 minutes', async () => {
    const { visitor, client, user } = await signedInVisitor(stack())
    const query = queryOf(client, { prompt: 'login' })
    await signInAt(visitor, query, user.email)
    expect(textOf((await visitor.get(queryOf(client, { prompt: 'login', state: 'another' }))).body)).toMatch(/^Sign in/)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow/)
    stack().advance(602)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    stack().advance(-602)
  })

  it('is not enough for a request that asks for two factors alone (RFC 9470 §5)', async () => {
    const { visitor, client } = await signedInVisitor(stack())
    const answerTo = async (change: Record<string, string>) => visitor.get(queryOf(client, change))
    expect(responseIn(await answerTo({ acr_values: 'aal2' }))).toMatchObject({
      error: 'unmet_authentication_requirements',
    })
    expect(responseIn(await answerTo({ acr_values: 'aal2', prompt: 'none' }))).toMatchObject({
      error: 'login_required',
    })
    for (const acr_values of ['aal2 aal1', 'aal1', 'urn:unknown'])
      expect(textOf((await answerTo({ acr_values })).body)).toMatch(/^Allow/)
  })

  // [asvs 7.6.1]
  it('is not enough where it is older than max_age, which asks for one sign-in (OpenID Connect Core §3.1.2.1)', async () => {
    const { visitor, client, user } = await signedInVisitor(stack())
    const query = queryOf(client, { max_age: '60' })
    stack().advance(55)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Allow/)
    const page = await visitor.get(query)
    stack().advance(7)
    expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    expect(textOf((await visitor.submit(query, page, 'allow')).body)).toMatch(/^Sign in/)
    const { location } = await signInAt(visitor, queryOf(client, { max_age: '0' }), user.email)
    expect(textOf((await visitor.get(location ?? '')).body)).toMatch(/^Allow/)
  })

  // [asvs 7.6.2]
  it('is needed by prompt=none, which is answered login_required without one', async () => {
    const { visitor, client } = await stranger()
    const query = queryOf(client, { prompt: 'none' })
    expect(responseIn(await visitor.get(query))).toMatchObject({
      error: 'login_required',
      state: 'state of the client',
    })
    expect(visitor.received).toEqual([])
  })
})
