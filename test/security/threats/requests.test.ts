import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { demoBrowserConsole } from '../../../infra/data/demo.ts'
import { keptMail } from '../../../infra/emulators/ses/startSesServer.ts'
import { newEmail, register, samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { formFields } from '../../oauth/authorize/page.ts'
import { type Met, Visitor } from '../../oauth/authorize/visitor.ts'
import { partner, registerPartner } from '../../support/partner.ts'
import { authorizationQuery, type RawAnswer, sendRaw, targets, useAttackedStack } from './attackedStack.ts'

const stack = useAttackedStack()
const base = () => stack().info.base_url
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const pages = targets.filter(({ isPage }) => isPage)

/** A sound authorization request of a client that the user has not allowed anything. */
const queryOf = (change: Readonly<Record<string, string>> = {}) =>
  authorizationQuery(stack(), { client_id: partner.client_id, ...change })

/** A browser that is signed in, as the demo's member, who has allowed no client anything. */
let member: Visitor

beforeAll(async () => {
  await registerPartner(stack().info)
  member = await signedIn('member')
})

async function signedIn(user: 'member' | 'billing_admin'): Promise<Visitor> {
  const visitor = new Visitor(base())
  const query = queryOf()
  const { email, password } = stack().info.demo[user]
  await visitor.submit(query, await visitor.get(query), 'login', { fields: { email, password } })
  return visitor
}

/** The mails to an address, the newest first. */
async function mailsTo(address: string) {
  const { body } = await stack().send({ method: 'GET', path: '/_local/mail.json' })
  return z
    .array(keptMail)
    .parse(body)
    .filter(({ to }) => to === address)
}

/** Every header by which a caller could claim to have asked another host. */
const forgedHosts: readonly Record<string, string>[] = [
  { host: 'evil.example.com' },
  { 'x-forwarded-host': 'evil.example.com' },
  { forwarded: 'host=evil.example.com;proto=http' },
  { 'x-host': 'evil.example.com', 'x-forwarded-server': 'evil.example.com' },
  { 'x-original-url': '//evil.example.com/', 'x-rewrite-url': '//evil.example.com/' },
  { 'x-forwarded-proto': 'javascript', 'x-forwarded-prefix': '//evil.example.com' },
]

describe('A host that the caller makes up', () => {
  // [threat 72]
  it.each(forgedHosts)('is in no mail, no page, no redirect and no document: %j', async (forged) => {
    const { email } = await signUp(stack())
    const body = JSON.stringify({ email })
    const headers = { ...json, ...forged }
    await sendRaw(base(), { method: 'POST', path: '/api/auth/password/forgot', headers, body })
    const [mail] = await mailsTo(email)
    expect(mail?.text).toContain(`${base()}/api/auth/link?`)
    expect(JSON.stringify(mail)).not.toContain('evil')

    const cookie = member.cookie ?? ''
    const silent = `/api/oauth/authorize?${queryOf({ prompt: 'none' })}`
    const answers = await Promise.all(
      [silent, silent.replace('&prompt=none', ''), '/.well-known/oauth-authorization-server', '/api/openapi.json'].map(
        (path) => sendRaw(base(), { path, headers: { cookie, ...forged } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([303, 200, 200, 200])
    for (const { rawHeaders, body } of answers) expect(`${rawHeaders} ${body}`).not.toContain('evil')
    expect(JSON.parse(answers[2]?.body ?? '')).toMatchObject({ issuer: base() })
  })
})

const lineBreaks = ['\r\n', '\n', '\r', '\u2028', '\u560d\u560a', '%0d%0a']

/** What an attacker would like to be a header of the answer. */
const injected = 'Set-Cookie: __Host-session=planted'

function expectNoInjection({ status, headers, rawHeaders }: RawAnswer): void {
  expect(status).toBeLessThan(500)
  const cookies = [headers['set-cookie'] ?? []].flat()
  expect(cookies.filter((cookie) => cookie.includes('planted'))).toEqual([])
  for (const value of rawHeaders) expect(value).not.toMatch(/[\r\n]/)
}

describe('A line break in a parameter', () => {
  // [threat 73]
  it.each(lineBreaks)('becomes no header, wherever it is sent: %j', async (lineBreak) => {
    const value = `x${lineBreak}${injected}`
    const cookie = member.cookie ?? ''
    const names = [
      'client_id',
      'redirect_uri',
      'state',
      'scope',
      'login_hint',
      'ui_locales',
      'prompt',
      'code_challenge',
    ]
    const queries = names.map((name) => `/api/oauth/authorize?${queryOf({ [name]: value })}`)
    const links = ['token', 'purpose', 'request'].map(
      (name) => `/api/auth/link?${new URLSearchParams({ purpose: 'register', [name]: value })}`,
    )
    const logouts = ['post_logout_redirect_uri', 'state', 'client_id'].map(
      (name) => `/api/oauth/logout?${new URLSearchParams({ [name]: value })}`,
    )
    for (const path of [...queries, ...links, ...logouts]) {
      expectNoInjection(await sendRaw(base(), { path, headers: { cookie } }))
      expectNoInjection(await sendRaw(base(), { path }))
    }
  })

  // [threat 73]
  it('in a state comes back to the client as it was sent, in one header', async () => {
    const state = `x\r\n${injected}`
    const query = queryOf({ prompt: 'none', state })
    const answer = await sendRaw(base(), {
      path: `/api/oauth/authorize?${query}`,
      headers: { cookie: member.cookie ?? '' },
    })
    expectNoInjection(answer)
    expect(new URL(String(answer.headers.location)).searchParams.get('state')).toBe(state)
  })
})

describe('A state that pretends to be more', () => {
  // [threat 16]
  it.each([
    'x&code=planted&iss=https://evil.example.com',
    'x#code=planted',
    'x;code=planted',
    'x%26code=planted',
    '="><script>',
  ])('stays one parameter: %s', async (state) => {
    const query = queryOf({ prompt: 'none', state })
    const { location } = await member.get(query)
    const { searchParams, hash } = new URL(location ?? '')
    expect([searchParams.get('state'), searchParams.get('code'), hash]).toEqual([state, null, ''])
    expect(searchParams.getAll('iss')).toEqual([base()])
  })
})

describe('A form with more fields than its page has', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await signedIn('billing_admin')
  })

  // [threat 14]
  it.each(['redirect_uri', 'client_id', 'scope', 'code_challenge', 'code_challenge_method', 'response_type', 'state'])(
    'is not read for %s: what counts is the address of the page',
    async (name) => {
      const query = queryOf({ prompt: 'consent' })
      const page = await visitor.get(query)
      const answer = await visitor.submit(query, page, 'allow', { fields: { [name]: 'https://evil.example.com/' } })
      expect(`${answer.location} ${answer.body}`).not.toContain('evil')
      if (answer.status !== 303) return expect(answer.status).toBe(400)
      expect(answer.location).toContain(`${stack().info.demo.redirect_uri}?`)
      expect(new URL(answer.location ?? '').searchParams.get('state')).toBe('mine')
    },
  )

  // [threat 15]
  it('is refused where a field is repeated, so that no two readers differ', async () => {
    const query = queryOf({ prompt: 'consent' })
    const { csrf = '' } = formFields((await visitor.get(query)).body)
    const twice = await visitor.post(query, `csrf=${csrf}&action=deny&action=allow`)
    expect([twice.status, twice.location]).toEqual([400, null])
  })
})

describe('A cookie beside the session’s', () => {
  const isSignedIn = ({ body }: Met | RawAnswer) => !body.includes('type="password"')

  // [threat 30]
  it('of another case, prefix or form is no session', async () => {
    const [name = '', secret = ''] = (member.cookie ?? '').split('=')
    const path = `/api/oauth/authorize?${queryOf()}`
    const cookies = [
      `session=${secret}`,
      `__Secure-session=${secret}`,
      `${name.toUpperCase()}=${secret}`,
      `${name}="${secret}"`,
      `${name}=${secret}x`,
      `x=1,${name}=${secret}`,
    ]
    for (const cookie of cookies) expect(isSignedIn(await sendRaw(base(), { path, headers: { cookie } }))).toBe(false)
    expect(isSignedIn(await sendRaw(base(), { path, headers: { cookie: `x=1; ${name}=${secret}` } }))).toBe(true)
  })
})

describe('A method in the place of another', () => {
  const overrides: Record<string, string> = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  }

  // [threat 38]
  it('is not taken from a header, a query or a form', async () => {
    const token = await stack().accessToken('owner')
    const path = '/api/users/me'
    const authorization = `Bearer ${token}`
    const before = await stack().send({ method: 'GET', path, token })
    const answer = await sendRaw(base(), { path: `${path}?_method=PATCH`, headers: { authorization, ...overrides } })
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, before.body])
    const posted = await sendRaw(base(), {
      method: 'POST',
      path,
      headers: { authorization, ...form },
      body: '_method=PATCH',
    })
    expect(posted.status).toBe(405)
  })

  // [threat 38]
  it('HEAD and GET of a link use nothing up, and HEAD of a page has no body', async () => {
    const { token } = await register(stack())
    const link = `/api/auth/link?${new URLSearchParams({ purpose: 'verify_email', token })}`
    for (const method of ['HEAD', 'GET', 'HEAD'])
      expect((await sendRaw(base(), { method, path: link })).status).toBe(200)
    for (const { path } of pages.filter(({ method }) => method === 'GET'))
      expect(await sendRaw(base(), { method: 'HEAD', path })).toMatchObject({ body: '' })
    const body = { token, password: samplePassword }
    expect(await stack().send({ method: 'POST', path: '/api/auth/verify', body })).toMatchObject({
      status: 200,
    })
  })

  it.each(['TRACE', 'PROPFIND', 'SEARCH'])('%s is no method of any path, and echoes nothing', async (method) => {
    const headers = { 'x-secret': 'echoed' }
    const answer = await sendRaw(base(), { method, path: '/api/users/me', headers })
    expect(answer.status).toBe(405)
    expect(JSON.stringify(answer)).not.toContain('echoed')
  })
})

describe('A page in a frame', () => {
  // [threat 36]
  it.each(pages)('is refused by the browser, whatever it says: $method $path', async ({ method, path }) => {
    const requests = ['', '?purpose=register', `?${queryOf()}`, '?token=x&purpose=invitation']
    for (const query of requests) {
      const { status, headers } = await sendRaw(base(), {
        method,
        path: `${path}${query}`,
        headers: method === 'POST' ? form : {},
      })
      // A redirect shows nothing; the page to which it leads is among these.
      if (status === 303) continue
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
      expect(headers['x-frame-options']).toBe('DENY')
    }
  })
})

describe('A name or an address that looks like another', () => {
  // [threat 80]
  it.each([
    'аdmin',
    'admin\u200b',
    'ad\u00admin',
    'ａdmin',
    'admin\u202e',
    'a\u0301dmin',
    ' admin',
    'admin\r\nx',
    'demo‑owner',
  ])('is no username: %j', async (username) => {
    const body = { email: newEmail(), username, password: samplePassword }
    expect(await stack().send({ method: 'POST', path: '/api/auth/register', body })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'username'] }] },
    })
  })

  // [threat 81]
  it('has its mail sent to the address of the account, or nowhere that it leads to', async () => {
    const { email } = await signUp(stack())
    const [local = '', domain = ''] = email.split('@')
    const spellings = [
      `${local.replace('s', 'ſ')}@${domain}`,
      `${local}@${domain.replace('e', 'е')}`,
      `${local}@${domain.replace('.', '。')}`,
      `${local.toUpperCase()}@${domain.toUpperCase()}`,
      `${local}@${domain.replace('x', 'ｘ')}`,
      `${local}@${domain.replace('m', '\u0049\u0307m')}`,
    ]
    await stack().send({ method: 'DELETE', path: '/_local/mail' })
    for (const typed of spellings) {
      await stack().send({ method: 'POST', path: '/api/auth/password/forgot', body: { email: typed } })
    }
    const sent = z.array(keptMail).parse((await stack().send({ method: 'GET', path: '/_local/mail.json' })).body)
    const withLink = sent.filter(({ text }) => text.includes('token='))
    expect(new Set(withLink.map(({ to }) => to))).toEqual(new Set([email]))
  })

  // [threat 82]
  it('of a client’s host is not the registered one', async () => {
    const query = queryOf({ redirect_uri: 'https://consоle.example.com/oauth/callback' })
    const { status, body } = await member.get(query)
    expect(status).toBe(400)
    expect(body).not.toContain('consоle')
  })
})

describe('The client of another', () => {
  // [threat 7]
  it('at a loopback address gives no code without the user: any program may listen there', async () => {
    const query = queryOf({
      redirect_uri: 'http://127.0.0.1:49152/callback',
      prompt: 'none',
    })
    const { location } = await member.get(query)
    expect(new URL(location ?? '').searchParams.get('error')).toBe('consent_required')
  })

  // [threat 6]
  it('that is the operator’s own leads to its own addresses only', async () => {
    const query = queryOf({
      client_id: demoBrowserConsole.clientId,
      redirect_uri: stack().info.demo.redirect_uri,
    })
    expect(await member.get(query)).toMatchObject({ status: 400, location: null })
  })
})
