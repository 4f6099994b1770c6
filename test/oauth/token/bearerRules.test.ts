import { describe, expect, it } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { AUDIENCE, ISSUER, PREVIOUS_TOKEN_KEY, useAccountsStack } from '../../support/accountsStack.ts'
import { openWorkshop } from './forgeries.ts'
import { register, signIn } from './tokenRequests.ts'

const stack = useAccountsStack()

async function get(headers: Record<string, string>) {
  const response = await fetch(`${stack().baseUrl}/api/users/me`, { headers })
  return { status: response.status, challenge: response.headers.get('www-authenticate') }
}

async function signedIn() {
  const registered = await register(stack())
  const { tokens } = await signIn(stack(), registered, { scope: 'profile' })
  return { ...registered, token: tokens.access_token }
}

describe('A protected endpoint keeps the MUSTs of RFC 6750', () => {
  it('§2.1: takes the token from the Authorization header, whatever the case of the scheme', async () => {
    const { token } = await signedIn()
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await get({ authorization: `${scheme} ${token}` })).status).toBe(200)
    }
  })

  it('§3 and §3.1: challenges a request without credentials, and names no error', async () => {
    expect(await get({})).toEqual({ status: 401, challenge: 'Bearer' })
  })

  it('§3.1: answers invalid_token to one that is malformed', async () => {
    const challenge = 'Bearer error="invalid_token"'
    for (const token of ['x', 'a.b.c', '%']) {
      expect(await get({ authorization: `Bearer ${token}` })).toEqual({ status: 401, challenge })
    }
  })

  // [asvs 9.2.1]
  it('§3.1: answers invalid_token to one that has expired', async () => {
    const { token } = await signedIn()
    stack().advance(901)
    expect(await get({ authorization: `Bearer ${token}` })).toMatchObject({ challenge: 'Bearer error="invalid_token"' })
  })
})

describe('An access token keeps the MUSTs of RFC 9068', () => {
  it('§2.1: is signed, of type at+jwt, under a kid', async () => {
    const { token } = await signedIn()
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'at+jwt', alg: 'RS256', kid: expect.stringMatching(/./) })
  })

  // [asvs 9.2.4]
  it('§2.2: has iss, aud, sub, client_id, iat, exp and jti', async () => {
    const { token, userId, credentials } = await signedIn()
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: userId, client_id: credentials.client_id }
    const times = { iat: expect.any(Number), exp: expect.any(Number) }
    expect(decodeJwt(token)).toMatchObject({ ...claims, ...times, jti: expect.stringMatching(/./) })
  })

  // [asvs 7.2.2]
  it('§2.2: has a jti of its own', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    expect(decodeJwt(one.token).jti).not.toBe(decodeJwt(other.token).jti)
  })

  it('§2.2.3: has the granted scope', async () => {
    expect(decodeJwt((await signedIn()).token).scope).toBe('profile')
  })

  // [asvs 9.2.2 9.2.3 10.3.1]
  it('§4: is refused where it is another issuer’s, another audience’s, expired, or of another type', async () => {
    const { sign, header, claims, now } = openWorkshop(stack(), (await signedIn()).token)
    const others = [
      sign(header, { ...claims, iss: 'https://evil.example.com' }),
      sign(header, { ...claims, aud: 'https://evil.example.com' }),
      sign(header, { ...claims, exp: now }),
      sign({ ...header, typ: 'JWT' }, claims),
    ]
    for (const token of await Promise.all(others))
      expect((await get({ authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await get({ authorization: `Bearer ${await sign(header, claims)}` })).status).toBe(200)
  })

  it('is good by either key while both are listed', async () => {
    const { sign, header, claims } = openWorkshop(stack(), (await signedIn()).token)
    const before = { ...header, kid: PREVIOUS_TOKEN_KEY }
    const both = [await sign(header, claims), await sign(before, claims, PREVIOUS_TOKEN_KEY)]
    for (const token of both) expect((await get({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect(both.map((token) => decodeProtectedHeader(token).kid)).toEqual([header.kid, PREVIOUS_TOKEN_KEY])
  })
})
