import { describe, expect, it } from '@jest/globals'
import type { JWTPayload } from 'jose'
import { REDIRECT_URI, SECRET, VERIFIER } from '../../oauth/authorize/people.ts'
import { requestToken, tokensIn } from '../../oauth/token/tokenRequests.ts'
import { type Company, openSignOn, useCompanies } from './companyVisits.ts'
import type { Browser } from './providerVisits.ts'

const { stack, provider, person, browser, company, loseDomain } = useCompanies()
const employee = ({ domain }: Company) => person({ email: `${crypto.randomUUID()}@${domain}` })

/** An employee who has signed on in a browser, and what a client got there. */
async function signedOn(own: Company, somebody = employee(own)) {
  const visitor = browser()
  const { path, client, page } = await openSignOn(stack(), visitor, own)
  await visitor.signInAs(somebody, page)
  const { location } = await visitor.get(path)
  const code = new URL(location ?? '', stack().baseUrl).searchParams.get('code') ?? ''
  const credentials = { client_id: client.clientId, client_secret: SECRET }
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }
  const tokens = tokensIn(await requestToken(stack(), { ...exchange, ...credentials }))
  return { ...somebody, visitor, path, access: tokens.access_token }
}

async function send({ id }: Pick<Company, 'id'>, token: string) {
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${stack().baseUrl}/api/sso/backchannel-logout/${id}`, { method: 'POST', body })
  return { status: answer.status, cache: answer.headers.get('cache-control'), text: await answer.text() }
}

async function isServed({ access, visitor, path }: { access: string; visitor: Browser; path: string }) {
  const headers = { authorization: `Bearer ${access}` }
  const { status } = await fetch(`${stack().baseUrl}/api/users/me`, { headers })
  const { location } = await visitor.get(`${path}&prompt=none`)
  return [status, /code=/.test(location ?? '')]
}

describe('The back-channel logout of a company', () => {
  it('ends sessions and grants by its sign-on at the next request, and no other sign-in', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const colleague = await signedOn(own)
    const second = await signedOn(own, somebody)
    expect(await isServed(somebody)).toEqual([200, true])
    const answer = await send(own, await provider().logoutToken(somebody.subject))
    expect(answer).toMatchObject({ status: 200, cache: 'no-store', text: '' })
    expect(await isServed(somebody)).toEqual([401, false])
    expect(await isServed(second)).toEqual([401, false])
    expect(await isServed(colleague)).toEqual([200, true])
    expect(await isServed(await signedOn(own, somebody))).toEqual([200, true])
  })

  // [threat 115.34]
  it('counts a token once', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    expect((await send(own, token)).status).toBe(200)
    const again = await signedOn(own, somebody)
    expect(await send(own, token)).toMatchObject({ status: 400, text: expect.stringContaining('invalid_request') })
    expect(await isServed(again)).toEqual([200, true])
  })

  it('is 200 for a person who never came, and says no more', async () => {
    expect((await send(await company(), await provider().logoutToken('nobody'))).status).toBe(200)
  })

  // [asvs 10.5.5] [threat 115.34]
  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['a nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['no event', ({ events: _, ...claims }) => claims],
    ['another event', (claims) => ({ ...claims, events: { other: {} } })],
    ['no id', ({ jti: _, ...claims }) => claims],
    ['no subject', ({ sub: _, ...claims }) => ({ ...claims, sid: 'x' })],
    ['no time', ({ iat: _, ...claims }) => claims],
    ['an old time', (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 700 })],
    ['an end that has passed', (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 100 })],
  ])('refuses a token with %s', async (_, change) => {
    const own = await company()
    const somebody = await signedOn(own)
    expect(await send(own, await provider().logoutToken(somebody.subject, change))).toMatchObject({
      status: 400,
      cache: 'no-store',
      text: expect.stringContaining('"error":"invalid_request"'),
    })
    expect(await isServed(somebody)).toEqual([200, true])
  })

  // [threat 115.34]
  it('refuses a foreign signature, any other text, and a form without a token', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    provider().tamper({ foreignKey: true })
    const forged = await provider().logoutToken(somebody.subject)
    provider().tamper({})
    for (const token of [forged, 'text', `${forged}x`, '']) expect((await send(own, token)).status).toBe(400)
    expect(await isServed(somebody)).toEqual([200, true])
  })

  it('reaches nobody at another company, nor after the domain was lost', async () => {
    const [own, other] = [await company(), await company()]
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    expect((await send(other, token)).status).toBe(200)
    expect(await isServed(somebody)).toEqual([200, true])
    await loseDomain(own)
    expect((await send(own, token)).status).toBe(400)
    expect((await send({ id: 'no id' as never }, token)).status).toBe(400)
  })

  // [catch openIdClient.readLogout]
  it('is 503 while the provider or the store is unavailable, and can be sent again', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    provider().tamper({ metadata: (metadata) => ({ ...metadata, jwks_uri: 'http://127.0.0.1:1/jwks' }) })
    expect((await send(own, token)).status).toBe(503)
    provider().tamper({})
    for (const operation of ['GetItem', 'Query', 'UpdateItem', 'PutItem'] as const) {
      stack().database.fail({ operation, times: 9, kind: 'drop_before' })
      expect([operation, (await send(own, token)).status]).toEqual([operation, 503])
      stack().database.reset()
    }
    expect((await send(own, token)).status).toBe(200)
    expect(await isServed(somebody)).toEqual([401, false])
  })
})
