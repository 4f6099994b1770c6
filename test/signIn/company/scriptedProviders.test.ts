import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { JWTPayload } from 'jose'
import { startOpenIdServer } from '../../../infra/emulators/openid/startOpenIdServer.ts'
import { createOpenIdClient } from '../../../lib/adapters/openid/openIdClient.ts'
import type { OpenIdClient } from '../../../lib/signIn/ports.ts'
import { createScriptedProviders, type Forgery, forgeries } from './scriptedProviders.ts'

const registration = { clientId: 'service', clientSecret: 'secret' }
const secrets = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) }
const CALLBACK = 'https://service.example/api/sso/callback'
const email = 'ada@example.com'
const ada = { subject: 'ada', name: 'ada', email, isEmailVerified: true, hasTwoFactors: true }
const now = () => Date.now()

/** A client, and the provider that it asks. */
interface Side {
  readonly client: OpenIdClient
  readonly issuer: string
  /** The address that the browser comes back to. */
  readonly visit: (url: string, forged: Forgery | undefined) => Promise<string>
  readonly logoutToken: (forged: Forgery | undefined) => Promise<string>
}

const forge: Record<Forgery, (claims: JWTPayload) => JWTPayload> = {
  issuer: (claims) => ({ ...claims, iss: 'https://idp.other.example' }),
  audience: (claims) => ({ ...claims, aud: 'another client' }),
  nonce: (claims) => ({ ...claims, nonce: 'another' }),
  signature: (claims) => claims,
  expired: (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 1200, exp: (claims.iat ?? 0) - 1000 }),
}

let real: Awaited<ReturnType<typeof startOpenIdServer>>
beforeAll(async () => {
  real = await startOpenIdServer({ client: registration, people: [ada], now })
})
afterAll(() => real.close())

const sides: Record<string, () => Side> = {
  'the real client': () => {
    const clock = { now, sync: async () => {} }
    const tamper = (forged: Forgery | undefined) =>
      real.tamper(forged ? { claims: forge[forged], foreignKey: forged === 'signature' } : {})
    return {
      client: createOpenIdClient({
        ...{ destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'], clock },
      }),
      issuer: real.issuer,
      async visit(url, forged) {
        tamper(forged)
        const { headers } = await fetch(`${url}&person=ada`, { redirect: 'manual' })
        return headers.get('location') ?? ''
      },
      async logoutToken(forged) {
        tamper(forged)
        return real.logoutToken('ada', forged && forge[forged])
      },
    }
  },
  'the scripted client': () => {
    const issuer = 'https://idp.acme.example'
    const scripted = createScriptedProviders(now)
    return {
      client: scripted.openId,
      issuer,
      visit: async (url, forged) => `${CALLBACK}?${scripted.answer(url, { ...ada, signedInAt: now(), forged })}`,
      logoutToken: async (forged) => scripted.logoutToken(issuer, { subject: 'ada', forged }),
    }
  },
}

describe.each(Object.keys(sides))('In the simulations and over the wire, %s', (name) => {
  const side = () => sides[name]?.() as Side

  async function exchange(forged?: Forgery, sent = secrets) {
    const { client, issuer, visit } = side()
    const asked = await client.authorizationUrl(
      { ...registration, issuer },
      { ...secrets, redirectUri: CALLBACK, isFresh: true },
    )
    if (asked.kind !== 'leads_to') throw new Error(asked.fault)
    const callback = await visit(asked.url, forged)
    return client.exchange({ ...registration, issuer }, { ...sent, callback, isFresh: true })
  }

  async function readLogout(forged?: Forgery) {
    const { client, issuer, logoutToken } = side()
    return client.readLogout({ ...registration, issuer }, await logoutToken(forged))
  }

  it('takes what the provider says of a person, and of a logout', async () => {
    const { issuer } = side()
    const identity = { ...ada, issuer, signedInAt: expect.any(Number), sessionId: expect.any(String) }
    expect(await exchange()).toMatchObject({ kind: 'proven', identity })
    expect(await readLogout()).toMatchObject({
      kind: 'proven',
      logout: { subject: 'ada', tokenId: expect.any(String) },
    })
  })

  it.each(forgeries)('refuses what has another %s, or is expired', async (forged) => {
    expect(await exchange(forged)).toMatchObject({ kind: 'refused', fault: 'answer_refused' })
    expect(await readLogout(forged)).toMatchObject({ kind: 'refused', fault: 'answer_refused' })
  })

  it('refuses the answer to another request', async () => {
    expect(await exchange(undefined, { ...secrets, nonce: 'mine' })).toMatchObject({ fault: 'answer_refused' })
    expect(await exchange(undefined, { ...secrets, state: 'mine' })).toMatchObject({ fault: 'answer_refused' })
  })
})
