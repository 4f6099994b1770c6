import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { AUDIENCE, ISSUER, PREVIOUS_TOKEN_KEY, TOKEN_KEY, useAccountsStack } from '../../support/accountsStack.ts'
import { SECRET } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { fetchFrom } from '../client/stackClient.ts'
import { openWorkshop } from '../token/forgeries.ts'
import { person, REDIRECT_URI, relyingParty, requestOf, signIn, walk } from './relyingParty.ts'

const stack = useAccountsStack()
const begin = async () => ({ party: await relyingParty(stack()), who: await person(stack()) })
const userInfo = (token: string) =>
  fetch(`${stack().baseUrl}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })
const errorIn = (callback: URL) => callback.searchParams.get('error')

describe('An id_token (OpenID Connect Core §2)', () => {
  it('says who signed in to which client, when and how, and is bound to its request and its access token', async () => {
    const { party, who } = await begin()
    const { claims, tokens } = await signIn(party, who)
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16)
    expect(claims).toEqual({
      iss: ISSUER,
      sub: who.user.id,
      aud: party.client.clientId,
      iat: expect.any(Number),
      exp: claims.iat + 900,
      auth_time: expect.any(Number),
      nonce: expect.any(String),
      preferred_username: expect.any(String),
      email: who.user.email,
      email_verified: true,
      amr: ['pwd'],
      acr: 'aal1',
      at_hash: half.toString('base64url'),
      sid: openWorkshop(stack(), tokens.access_token).claims.sid,
    })
    expect(decodeProtectedHeader(tokens.id_token ?? '')).toEqual({ typ: 'JWT', alg: 'RS256', kid: TOKEN_KEY })
  })

  it('is refused by the client for another nonce than it sent, and for one that it did not send', async () => {
    const { party, who } = await begin()
    for (const expectedNonce of ['another', undefined]) {
      const { search, checks } = await requestOf(party)
      const { expectedNonce: _, ...rest } = checks
      const callback = await walk(who, search)
      const exchange = openid.authorizationCodeGrant(party.configuration, callback, {
        ...rest,
        ...(expectedNonce !== undefined && { expectedNonce }),
      })
      await expect(exchange).rejects.toMatchObject({ code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' })
    }
  })

  it('is not there without the scope openid', async () => {
    const { party, who } = await begin()
    const { search, checks } = await requestOf(party, { scope: 'profile', nonce: '' })
    const { expectedNonce: _, ...rest } = checks
    const tokens = await openid.authorizationCodeGrant(party.configuration, await walk(who, search), rest)
    expect(tokens.id_token).toBeUndefined()
  })

  it('comes again with a refresh: of the same user, client and sign-in, without a nonce (§12.2)', async () => {
    const { party, who } = await begin()
    const { claims, tokens } = await signIn(party, who)
    stack().advance(5)
    const refreshed = await openid.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '')
    stack().advance(-5)
    const { iss, sub, aud, auth_time, amr, acr, sid } = claims
    expect(refreshed.claims()).toMatchObject({ iss, sub, aud, auth_time, amr, acr, sid })
    expect(refreshed.claims()).not.toHaveProperty('nonce')
    expect(refreshed.claims()?.iat).toBeGreaterThan(claims.iat)
    const narrowed = { scope: 'profile' }
    const narrow = await openid.refreshTokenGrant(party.configuration, refreshed.refresh_token ?? '', narrowed)
    expect(narrow.id_token).toBeUndefined()
  })

  it('is no access token (RFC 9068 §5)', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    expect((await userInfo(tokens.id_token ?? '')).status).toBe(401)
  })

  it.each([
    ['openid', {}],
    ['openid profile', { preferred_username: expect.any(String) }],
    ['openid email', { email: expect.any(String), email_verified: true }],
  ])('has the claims of the scope %s, and no more (§5.4)', async (scope, expected) => {
    const { party, who } = await begin()
    const { claims } = await signIn(party, who, { scope })
    const { preferred_username, email, email_verified } = claims
    expect({ preferred_username, email, email_verified }).toEqual(expected)
    if ('email' in expected) expect(email).toBe(who.user.email)
  })

  it('says after a refresh what is true then', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    const { username: from = '' } = (await stack().users.find(who.user.id)) ?? {}
    const to = `renamed-${from}`
    expect(await stack().users.rename(who.user.id, { from, to, now: stack().clock.now() })).toBe('renamed')
    const refreshed = await openid.refreshTokenGrant(party.configuration, tokens.refresh_token ?? '')
    expect(refreshed.claims()?.preferred_username).toBe(to)
  })
})

describe('UserInfo (OpenID Connect Core §5.3)', () => {
  it.each([
    ['openid', {}],
    ['openid profile', { preferred_username: expect.any(String) }],
    ['openid email', { email: expect.any(String), email_verified: true }],
    [
      'openid profile email',
      { preferred_username: expect.any(String), email: expect.any(String), email_verified: true },
    ],
  ])('answers what the scope %s is for, and no more', async (scope, claims) => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who, { scope })
    const answer = await openid.fetchUserInfo(party.configuration, tokens.access_token, who.user.id)
    expect(answer).toEqual({ sub: who.user.id, ...claims })
    if ('email' in claims) expect(answer.email).toBe(who.user.email)
  })

  it('refuses a token without openid, of first-party clients too (RFC 6750 §3.1)', async () => {
    for (const firstParty of [false, true]) {
      const [party, who] = [await relyingParty(stack(), { firstParty }), await person(stack())]
      const { search, checks } = await requestOf(party, { scope: 'profile', nonce: '' })
      const { expectedNonce: _, ...rest } = checks
      const tokens = await openid.authorizationCodeGrant(party.configuration, await walk(who, search), rest)
      const answer = await userInfo(tokens.access_token)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="openid"')
    }
  })

  it('challenges where there is no token, an invalid one, or one whose grant was revoked (RFC 6750 §3)', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    const bare = await fetch(`${stack().baseUrl}/api/oauth/userinfo`)
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    await openid.tokenRevocation(party.configuration, tokens.refresh_token ?? '')
    for (const token of ['x.y.z', tokens.access_token]) {
      const { status, headers } = await userInfo(token)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
    }
  })

  it('is the same by POST with the token in the header, and without it in a form (§5.3.1, RFC 6750 §2.2)', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    const url = `${stack().baseUrl}/api/oauth/userinfo`
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const answer = await fetch(url, { method: 'POST', headers })
    expect([answer.status, await answer.json()]).toEqual([200, await (await userInfo(tokens.access_token)).json()])
    const form = new URLSearchParams({ access_token: tokens.access_token })
    expect((await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ a: 'b' }) })).status).toBe(200)
    const inBody = await fetch(url, { method: 'POST', body: form })
    expect([inBody.status, inBody.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })
})

describe('An authentication request (OpenID Connect Core §3.1.2)', () => {
  it('with prompt=none is answered login_required to a stranger, consent_required before consent, and then with a code', async () => {
    const { party, who } = await begin()
    const silent = async () => {
      const { search, checks } = await requestOf(party, { prompt: 'none' })
      return { callback: await walk(who, search), checks }
    }
    expect(errorIn((await silent()).callback)).toBe('login_required')
    await who.visitor.get((await requestOf(party)).search)
    const other = await relyingParty(stack())
    await signIn(other, who)
    expect(errorIn((await silent()).callback)).toBe('consent_required')
    await signIn(party, who)
    const { callback, checks } = await silent()
    const tokens = await openid.authorizationCodeGrant(party.configuration, callback, checks)
    expect(tokens.claims()?.sub).toBe(who.user.id)
  })

  it('with prompt=login asks a signed-in user again, whose auth_time is later', async () => {
    const { party, who } = await begin()
    const first = await signIn(party, who)
    stack().advance(20)
    const again = await signIn(party, who, { prompt: 'login' })
    stack().advance(-20)
    expect(again.claims.sub).toBe(first.claims.sub)
    expect(again.claims.auth_time).toBeGreaterThan(Number(first.claims.auth_time))
  })

  it('with max_age=1 asks again after two seconds, and with max_age=10000 does not', async () => {
    const { party, who } = await begin()
    const first = await signIn(party, who)
    stack().advance(2)
    const long = await signIn(party, who, { max_age: '10000' }, { maxAge: 10_000 })
    expect(long.claims.auth_time).toBe(first.claims.auth_time)
    const short = await signIn(party, who, { max_age: '1' }, { maxAge: 1 })
    stack().advance(-2)
    expect(short.claims.auth_time).toBeGreaterThan(Number(first.claims.auth_time))
  })

  it('with max_age that has passed and prompt=none is answered login_required', async () => {
    const { party, who } = await begin()
    await signIn(party, who)
    stack().advance(30)
    const { search } = await requestOf(party, { max_age: '15', prompt: 'none' })
    expect(errorIn(await walk(who, search))).toBe('login_required')
    stack().advance(-30)
  })

  it('with an id_token_hint of the signed-in user is answered silently, of another user login_required', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    const stranger = await person(stack())
    await signIn(party, stranger)
    const { search } = await requestOf(party, { prompt: 'none', id_token_hint: tokens.id_token ?? '' })
    expect((await walk(who, search)).searchParams.get('code')).toEqual(expect.any(String))
    expect(errorIn(await walk(stranger, search))).toBe('login_required')
  })

  // [catch idTokenReader.read]
  it('with a hint that is no id_token of this service is refused, an access token included', async () => {
    const { party, who } = await begin()
    const { tokens } = await signIn(party, who)
    const { sign, claims } = openWorkshop(stack(), tokens.id_token ?? '')
    const foreign = await sign(
      { typ: 'JWT', alg: 'RS256', kid: TOKEN_KEY },
      { ...claims, iss: 'https://evil.example.com' },
    )
    for (const id_token_hint of ['nonsense', tokens.access_token, foreign]) {
      const { search } = await requestOf(party, { id_token_hint })
      expect(errorIn(await walk(who, search))).toBe('invalid_request')
    }
  })

  it.each([
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
    ['registration', 'registration_not_supported'],
  ])('with the parameter %s is answered %s (§3.1.2.6)', async (name, error) => {
    const { party, who } = await begin()
    await signIn(party, who)
    const { search } = await requestOf(party, { [name]: 'https://client.example.com/object' })
    expect(errorIn(await walk(who, search))).toBe(error)
  })

  it('with parameters that only hint is answered as without them: acr_values, claims_locales, display, ui_locales, login_hint', async () => {
    const { party, who } = await begin()
    const hints = {
      claims_locales: 'se',
      display: 'page',
      ui_locales: 'se',
      login_hint: who.user.email,
      extra: 'foobar',
    }
    const { claims } = await signIn(party, who, { ...hints, acr_values: '1 2' })
    expect(claims.acr).toBe('aal1')
  })

  it('shows the sign-in page to a visitor, with the address that login_hint names', async () => {
    const { party, who } = await begin()
    const { search } = await requestOf(party, { login_hint: who.user.email })
    expect((await new Visitor(stack().baseUrl).get(search)).body).toContain(`value="${who.user.email}"`)
  })
})

describe('The keys', () => {
  it('verify the id_token of the key before as well, while both are listed', async () => {
    const { party, who } = await begin()
    const { tokens, claims } = await signIn(party, who)
    const { sign } = openWorkshop(stack(), tokens.id_token ?? '')
    const before = await sign({ typ: 'JWT', alg: 'RS256', kid: PREVIOUS_TOKEN_KEY }, { ...claims }, PREVIOUS_TOKEN_KEY)
    const { search } = await requestOf(party, { prompt: 'none', id_token_hint: before })
    expect((await walk(who, search)).searchParams.get('code')).toEqual(expect.any(String))
  })
})

describe('oauth4webapi', () => {
  it('validates the id_token with its nonce, its age and its signature', async () => {
    const { party, who } = await begin()
    const { search, checks } = await requestOf(party, { max_age: '60' })
    const callback = await walk(who, search)
    const options = { [oauth.customFetch]: fetchFrom(stack()) }
    const issuer = new URL(ISSUER)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
    const aheadBy = Math.round((stack().clock.now() - Date.now()) / 1000)
    const client = { client_id: party.client.clientId, [oauth.clockSkew]: aheadBy, [oauth.clockTolerance]: 30 }
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(SECRET),
      oauth.validateAuthResponse(server, client, callback, checks.expectedState),
      REDIRECT_URI,
      checks.pkceCodeVerifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: checks.expectedNonce,
      maxAge: 60,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, answer, options)
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: who.user.id, acr: 'aal1' })
    const request = new Request(AUDIENCE, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const claims = await oauth.validateJwtAccessToken(server, request, AUDIENCE, {
      ...options,
      [oauth.clockSkew]: aheadBy,
    })
    expect(claims.scope).toContain('openid')
  })
})
