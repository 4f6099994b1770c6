import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { createClient } from '../../../lib/oauth/client/clientRegistration.ts'
import { AUDIENCE, ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { forgeries, openWorkshop } from '../token/forgeries.ts'
import { refusal, register, requestToken, signIn } from '../token/tokenRequests.ts'
import { askAboutToken } from './askAboutToken.ts'
import { discover, fetchFrom } from './stackClient.ts'

const stack = useAccountsStack()
const introspect = (fields: Record<string, string>) => askAboutToken(stack(), 'introspect', fields)
const inactive = { status: 200, body: { active: false } }

async function signedIn(scope = 'profile billing') {
  const registered = await register(stack())
  const { refresh, tokens } = await signIn(stack(), registered, { scope })
  return { ...registered, refresh, tokens }
}

describe('POST /api/oauth/introspect', () => {
  describe('Given an active token of the client’s own', () => {
    it('returns exactly the claims of an access token (RFC 7662 §2.2)', async () => {
      const { credentials, userId, tokens } = await signedIn()
      const { status, headers, body } = await introspect({ ...credentials, token: tokens.access_token })
      // The functions' clock runs on between two looks at the stack's.
      const { jti, iat = 0 } = decodeJwt(tokens.access_token)
      expect(Math.abs(iat - stack().clock.now() / 1000)).toBeLessThan(60)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          active: true,
          scope: 'profile billing',
          client_id: credentials.client_id,
          token_type: 'Bearer',
          exp: iat + 900,
          iat,
          sub: userId,
          aud: AUDIENCE,
          iss: ISSUER,
          jti,
        },
      })
      expect(headers.get('content-type')).toBe('application/json')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('returns the expiry of a refresh token, and no token_type', async () => {
      const { credentials, userId, tokens } = await signedIn('')
      const { body } = await introspect({ ...credentials, token: tokens.refresh_token })
      const exp = stack().clock.now() / 1000 + 30 * 24 * 60 * 60
      expect(body).toEqual({ active: true, client_id: credentials.client_id, exp, sub: userId, iss: ISSUER })
    })

    it.each(['access_token', 'refresh_token', 'nonsense'])(
      'finds it under the hint %p, right or wrong (RFC 7662 §2.1)',
      async (token_type_hint) => {
        const { credentials, tokens } = await signedIn()
        for (const token of [tokens.access_token, tokens.refresh_token]) {
          expect((await introspect({ ...credentials, token, token_type_hint })).body).toMatchObject({ active: true })
        }
      },
    )
  })

  describe('Given a token that is not active, or not the client’s', () => {
    it.each(['unknown', 'a.b.c', '..', 'é'])(
      'says no more than that %p is not active (RFC 7662 §2.2)',
      async (token) => {
        const { credentials } = await register(stack())
        expect(await introspect({ ...credentials, token })).toMatchObject(inactive)
      },
    )

    // [threat 50]
    it('answers active false for every forged access token', async () => {
      const { credentials, tokens } = await signedIn()
      const shop = openWorkshop(stack(), tokens.access_token)
      for (const forge of Object.values(forgeries)) {
        const { status, body } = await introspect({ ...credentials, token: await forge(shop) })
        expect({ status, body }).toEqual(inactive)
      }
    })

    // [threat 45]
    it('answers active false for another client’s (RFC 7662 §2.2)', async () => {
      const { tokens } = await signedIn()
      const { credentials } = await register(stack())
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect((await introspect({ ...credentials, token })).body).toEqual({ active: false })
      }
    })

    it('answers active false for a rotated refresh token, and for the whole family once that one is used again', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      await requestToken(stack(), refresh)
      expect((await introspect({ ...credentials, token: tokens.refresh_token })).body).toEqual({ active: false })
      expect((await introspect({ ...credentials, token: tokens.access_token })).body).toMatchObject({ active: true })
      stack().advance(60)
      await requestToken(stack(), refresh)
      expect((await introspect({ ...credentials, token: tokens.access_token })).body).toEqual({ active: false })
    })

    it('answers active false once a token has expired', async () => {
      const { credentials, tokens } = await signedIn()
      stack().advance(901)
      expect((await introspect({ ...credentials, token: tokens.access_token })).body).toEqual({ active: false })
      expect((await introspect({ ...credentials, token: tokens.refresh_token })).body).toMatchObject({ active: true })
      stack().advance(30 * 24 * 60 * 60 - 900)
      expect((await introspect({ ...credentials, token: tokens.refresh_token })).body).toEqual({ active: false })
    })

    it('answers active false for the tokens of a user who was switched off', async () => {
      const { credentials, userId, tokens } = await signedIn()
      await stack().setActive(userId, false)
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        expect((await introspect({ ...credentials, token })).body).toEqual({ active: false })
      }
    })
  })

  describe('Given a resource server, which is registered to ask about every token', () => {
    const registerResourceServer = async () => {
      const { client, secret = '' } = await createClient(
        { ...stack(), redirectPolicy: 'exact' },
        {
          name: 'Reports',
          type: 'confidential',
          redirectUris: [],
          postLogoutRedirectUris: [],
          introspectsAnyToken: true,
        },
      )
      return { client_id: client.clientId, client_secret: secret }
    }

    // [threat 15.8a]
    it('returns whose token it is, and of which client', async () => {
      const credentials = await registerResourceServer()
      for (const { userId, credentials: owner, tokens } of [await signedIn('profile'), await signedIn('')]) {
        for (const token of [tokens.access_token, tokens.refresh_token]) {
          const expected = { active: true, client_id: owner.client_id, sub: userId }
          expect((await introspect({ ...credentials, token })).body).toMatchObject(expected)
        }
      }
    })

    it('answers active false where the token’s own client is answered that', async () => {
      const credentials = await registerResourceServer()
      const { userId, tokens } = await signedIn()
      const shop = openWorkshop(stack(), tokens.access_token)
      const forged = await Promise.all(Object.values(forgeries).map((forge) => forge(shop)))
      await stack().setActive(userId, false)
      for (const token of [...forged, tokens.access_token, tokens.refresh_token, 'unknown']) {
        expect(await introspect({ ...credentials, token })).toMatchObject(inactive)
      }
    })

    // [threat 15.8a]
    it('gives no other right: it may not revoke the token, nor exchange a code', async () => {
      const credentials = await registerResourceServer()
      const { tokens } = await signedIn()
      await askAboutToken(stack(), 'revoke', { ...credentials, token: tokens.access_token })
      expect((await introspect({ ...credentials, token: tokens.access_token })).body).toMatchObject({ active: true })
      const exchange = { ...credentials, grant_type: 'authorization_code', code: 'any' }
      expect(await requestToken(stack(), exchange)).toMatchObject(refusal('unauthorized_client'))
    })

    it('takes a right secret', async () => {
      const { client_id } = await registerResourceServer()
      const { tokens } = await signedIn()
      const { status, body } = await introspect({ client_id, client_secret: 'wrong', token: tokens.access_token })
      expect({ status, body }).toMatchObject(refusal('invalid_client'))
    })
  })

  describe('Given a user who was signed out everywhere, as by a new password', () => {
    it('answers active false for every token from before, but those of the family that was kept', async () => {
      const registered = await register(stack())
      const [kept, other] = [await signIn(stack(), registered), await signIn(stack(), registered)]
      const account = await stack().accounts.find(registered.userId)
      if (account === undefined) throw new Error('the account is not there')
      const keptFamily = String(decodeJwt(kept.tokens.access_token).sid)
      await stack().accounts.changePassword(account, { passwordHash: 'any', keptFamily })
      const later = await signIn(stack(), registered)
      const isActive = async (token: string) => (await introspect({ ...registered.credentials, token })).body
      for (const { tokens } of [kept, later]) {
        expect(await isActive(tokens.access_token)).toMatchObject({ active: true })
        expect(await isActive(tokens.refresh_token)).toMatchObject({ active: true })
      }
      expect(await isActive(other.tokens.access_token)).toEqual({ active: false })
      expect(await isActive(other.tokens.refresh_token)).toEqual({ active: false })
    })
  })

  describe('Given a caller that is not authenticated', () => {
    // [asvs 10.4.10]
    it('answers invalid_client to a wrong secret, an unknown client and a public one (RFC 7662 §2.1)', async () => {
      const { credentials, tokens } = await signedIn()
      const { client_id } = (await register(stack(), { isPublic: true })).credentials
      const changes = [{ client_secret: 'wrong' }, { client_secret: '' }, { client_id: 'unknown' }, { client_id }]
      for (const change of changes) {
        const { status, body } = await introspect({ ...credentials, ...change, token: tokens.access_token })
        expect({ status, body }).toMatchObject(refusal('invalid_client'))
      }
      expect(await introspect({ client_id, token: tokens.access_token })).toMatchObject(refusal('invalid_client'))
    })

    it('answers invalid_request where token is missing (RFC 7662 §2.1)', async () => {
      const { credentials } = await register(stack())
      expect(await introspect(credentials)).toMatchObject(refusal('invalid_request'))
    })
  })

  describe('Given a client library', () => {
    it('answers what openid-client understands', async () => {
      const { credentials, userId, tokens } = await signedIn()
      const configuration = await discover(stack(), credentials)
      const answer = await openid.tokenIntrospection(configuration, tokens.access_token)
      expect(answer).toMatchObject({ active: true, sub: userId })
      expect(await openid.tokenIntrospection(configuration, 'unknown')).toEqual({ active: false })
    })

    it('answers what oauth4webapi understands', async () => {
      const { credentials, tokens } = await signedIn()
      const server = { issuer: ISSUER, introspection_endpoint: `${ISSUER}/api/oauth/introspect` }
      const client = { client_id: credentials.client_id }
      const authentication = oauth.ClientSecretPost(credentials.client_secret)
      const options = { [oauth.customFetch]: fetchFrom(stack()) }
      const response = await oauth.introspectionRequest(server, client, authentication, tokens.access_token, options)
      expect(await oauth.processIntrospectionResponse(server, client, response)).toMatchObject({ active: true })
    })
  })
})
