import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startOpenIdServer, type Tampering } from '../../../infra/emulators/openid/startOpenIdServer.ts'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createOpenIdClient } from '../../../lib/adapters/openid/openIdClient.ts'
import type { EndpointUrlDeps } from '../../../lib/events/endpointUrl.ts'

const CALLBACK = 'https://service.example/api/sso/callback'
const secrets = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) }
const registration = { clientId: 'service', clientSecret: 'of-the:service_1 %&+' }
const clock = { now: () => Date.now(), sync: async () => undefined }
const loopback: EndpointUrlDeps = { destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'] }
const client = createOpenIdClient({ ...loopback, clock })

const [ada, eve] = [
  { subject: 'ada', name: 'Ada', email: 'ada@example.com', isEmailVerified: true, hasTwoFactors: true },
  { subject: 'eve', name: 'Eve', email: 'eve@example.com', isEmailVerified: false },
]

let provider: Awaited<ReturnType<typeof startOpenIdServer>>
beforeAll(async () => {
  provider = await startOpenIdServer({ client: registration, people: [ada, eve], now: clock.now })
})
afterEach(() => provider.tamper({}))
afterAll(() => provider.close())

const at = (issuer = provider.issuer) => ({ ...registration, issuer })

/** Goes to the provider as a person, and returns the address that the browser comes back to. */
async function visit(person: string, { isFresh = false } = {}): Promise<string> {
  const asked = await client.authorizationUrl(at(), { ...secrets, redirectUri: CALLBACK, isFresh })
  if (asked.kind !== 'leads_to') throw new Error(asked.fault)
  const answer = await fetch(`${asked.url}&person=${person}`, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

async function exchange(person: string, { isFresh = false, sent = secrets } = {}) {
  return client.exchange(at(), { ...sent, callback: await visit(person, { isFresh }), isFresh })
}

const refused = { kind: 'refused', fault: 'answer_refused', reason: expect.any(String) }

describe('The client of an OpenID provider', () => {
  it('learns who signed in', async () => {
    expect(await exchange('ada')).toEqual({
      kind: 'proven',
      identity: {
        ...{ issuer: provider.issuer, subject: 'ada', email: 'ada@example.com', isEmailVerified: true, name: 'Ada' },
        ...{ signedInAt: expect.any(Number), hasTwoFactors: true, sessionId: expect.any(String) },
      },
    })
    expect(await exchange('eve')).toMatchObject({ identity: { isEmailVerified: false, hasTwoFactors: false } })
  })

  // [asvs 10.2.3]
  it('asks for what it needs, by PKCE and with a nonce', async () => {
    const asked = await client.authorizationUrl(at(), { ...secrets, redirectUri: CALLBACK, isFresh: false })
    const parameters = asked.kind === 'leads_to' ? Object.fromEntries(new URL(asked.url).searchParams) : {}
    expect(parameters).toEqual({
      ...{ client_id: at().clientId, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid email profile' },
      ...{ state: secrets.state, nonce: secrets.nonce },
      ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' },
    })
  })

  // [threat 115.21]
  it('asks for another sign-in, and takes it only from a provider that says when it was', async () => {
    const asked = await client.authorizationUrl(at(), {
      ...secrets,
      redirectUri: CALLBACK,
      isFresh: true,
      loginHint: 'a@b.example',
    })
    const parameters = asked.kind === 'leads_to' ? Object.fromEntries(new URL(asked.url).searchParams) : {}
    expect(parameters).toMatchObject({ prompt: 'login', max_age: '0', login_hint: 'a@b.example' })
    expect(await exchange('ada', { isFresh: true })).toMatchObject({ kind: 'proven' })
    provider.tamper({ claims: ({ auth_time: _, ...claims }) => claims })
    expect(await exchange('ada', { isFresh: true })).toEqual(refused)
    provider.tamper({ claims: (claims) => ({ ...claims, auth_time: Number(claims.iat) - 700 }) })
    expect(await exchange('ada', { isFresh: true })).toEqual(refused)
  })

  // [asvs 6.8.2] [threat 115.13]
  it.each<[string, Tampering]>([
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://other.example' }) }],
    ['another audience', { claims: (claims) => ({ ...claims, aud: 'other' }) }],
    ['two audiences without azp', { claims: (claims) => ({ ...claims, aud: ['service', 'other'] }) }],
    ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'other' }) }],
    ['no nonce', { claims: ({ nonce: _, ...claims }) => claims }],
    ['an expired token', { claims: (claims) => ({ ...claims, exp: Number(claims.iat) - 120 }) }],
    ['no subject', { claims: ({ sub: _, ...claims }) => claims }],
    ['a subject without end', { claims: (claims) => ({ ...claims, sub: 'x'.repeat(256) }) }],
    ['the signature of another key', { foreignKey: true }],
    ['an answer of another issuer', { answer: (answer) => ({ ...answer, iss: 'https://other.example' }) }],
    ['an answer without its issuer', { answer: ({ iss: _, ...answer }) => answer }],
    ['another state', { answer: (answer) => ({ ...answer, state: 'other' }) }],
  ])('refuses %s', async (_, tampering) => {
    provider.tamper(tampering)
    expect(await exchange('ada')).toEqual(refused)
  })

  it('refuses a code that was begun with another verifier, and a code that is used twice', async () => {
    expect(await exchange('ada', { sent: { ...secrets, codeVerifier: 'w'.repeat(43) } })).toEqual(refused)
    const callback = await visit('ada')
    expect(await client.exchange(at(), { ...secrets, callback, isFresh: false })).toMatchObject({ kind: 'proven' })
    expect(await client.exchange(at(), { ...secrets, callback, isFresh: false })).toEqual(refused)
  })

  // [catch openIdClient.exchange]
  it('tells a person who says no from a provider that does not answer', async () => {
    expect(await exchange('nobody')).toMatchObject({ kind: 'refused', fault: 'denied' })
    const callback = await visit('ada')
    const gone = await client.exchange(at('http://127.0.0.1:1'), { ...secrets, callback, isFresh: false })
    expect(gone).toEqual({ kind: 'refused', fault: 'unreachable', reason: 'connection_failed' })
  })

  it('asks UserInfo about the address that the id_token does not have, and takes it for this person alone', async () => {
    const claims: Tampering['claims'] = ({ email: _, email_verified: __, name: ___, ...own }) => own
    provider.tamper({ claims })
    const identity = {
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada',
      hasTwoFactors: true,
    }
    expect(await exchange('ada')).toMatchObject({ kind: 'proven', identity })
    provider.tamper({ claims, userInfo: (info) => ({ ...info, amr: ['mfa'], auth_time: 1, iss: 'x' }) })
    expect(await exchange('eve')).toMatchObject({
      identity: { issuer: provider.issuer, subject: 'eve', isEmailVerified: false, hasTwoFactors: false },
    })
    provider.tamper({ claims, userInfo: (info) => ({ ...info, sub: 'eve' }) })
    expect(await exchange('ada')).toEqual(refused)
    provider.tamper({ claims, metadata: ({ userinfo_endpoint: _, ...metadata }) => metadata })
    expect(await exchange('ada')).toMatchObject({ identity: { email: undefined, isEmailVerified: false } })
    provider.tamper({ claims, metadata: (metadata) => ({ ...metadata, userinfo_endpoint: 'http://127.0.0.1:1/' }) })
    expect(await exchange('ada')).toMatchObject({ kind: 'refused', fault: 'unreachable' })
  })

  it('counts members of another type as missing', async () => {
    const odd = { email: 7, email_verified: 'true', name: [], amr: 'mfa' }
    provider.tamper({ claims: (claims) => ({ ...claims, ...odd }) })
    expect(await exchange('ada')).toMatchObject({
      identity: { email: undefined, isEmailVerified: false, name: undefined, hasTwoFactors: false },
    })
  })

  // [catch openIdClient.discover] [threat 115.22]
  it('finds an issuer only at an address that may be asked, and by metadata of its own', async () => {
    expect(await client.discover(provider.issuer)).toEqual({ kind: 'found' })
    const refusedAs = async (issuer: string, from = client) => {
      const found = await from.discover(issuer)
      return found.kind === 'refused' && found.fault
    }
    const strict = createOpenIdClient({ ...loopback, destinations: 'public', clock })
    expect(await refusedAs('https://127.0.0.1:1', strict)).toBe('forbidden_address')
    expect(await refusedAs(provider.issuer, strict)).not.toBe(false)
    expect(await refusedAs('http://127.0.0.1:1')).toBe('connection_failed')
    provider.tamper({ metadata: (metadata) => ({ ...metadata, issuer: 'https://other.example' }) })
    expect(await refusedAs(provider.issuer)).toBe('bad_answer')
  })

  // [catch openIdClient.authorizationUrl] [threat 115.22]
  it('follows no redirect, and reads no endless answer', async () => {
    const answers = {
      redirect: await listenOnLoopback(
        createServer((_, answer) => answer.writeHead(302, { location: `${provider.issuer}/jwks` }).end()),
      ),
      endless: await listenOnLoopback(createServer((_, answer) => answer.writeHead(200).end('x'.repeat(300_000)))),
    }
    for (const { url, close } of Object.values(answers)) {
      const asked = await client.authorizationUrl(at(url), { ...secrets, redirectUri: CALLBACK, isFresh: false })
      expect(asked).toEqual({ kind: 'unreachable', fault: 'bad_answer' })
      await close()
    }
  })
})
