import { describe, expect, it } from '@jest/globals'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, refusal, register, requestToken, signIn, tokensIn, VERIFIER } from '../token/tokenRequests.ts'
import { askAboutToken } from './askAboutToken.ts'
import { discover, fetchFrom } from './stackClient.ts'

const stack = useAccountsStack()
const revoke = (fields: Record<string, string> | string, headers?: Record<string, string>) =>
  askAboutToken(stack(), 'revoke', fields, headers)
const accepted = { status: 200, body: undefined }

async function signedIn() {
  const registered = await register(stack())
  return { ...registered, ...(await signIn(stack(), registered)) }
}

async function isActive(credentials: Record<string, string>, token: string) {
  return (await askAboutToken(stack(), 'introspect', { ...credentials, token })).body
}

describe('POST /api/oauth/revoke', () => {
  describe('Given a token of the client’s own', () => {
    // [asvs 7.4.1]
    it('revokes a refresh token, and with it the access token (RFC 7009 §2.1)', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      expect(await revoke({ ...credentials, token: tokens.refresh_token })).toMatchObject(accepted)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      expect(await isActive(credentials, tokens.access_token)).toEqual({ active: false })
    })

    it('revokes an access token, and with it the refresh token (RFC 7009 §2.1)', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      expect(await revoke({ ...credentials, token: tokens.access_token })).toMatchObject(accepted)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      expect(await isActive(credentials, tokens.access_token)).toEqual({ active: false })
    })

    it('revokes an access token that came without a refresh token', async () => {
      const registered = await register(stack(), { grantTypes: ['authorization_code'] })
      const [one, other] = [await signIn(stack(), registered), await signIn(stack(), registered)]
      await revoke({ ...registered.credentials, token: one.tokens.access_token })
      expect(await isActive(registered.credentials, one.tokens.access_token)).toEqual({ active: false })
      expect(await isActive(registered.credentials, other.tokens.access_token)).toMatchObject({ active: true })
    })

    it('revokes a family by a token of it that was rotated before', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      const { refresh_token } = tokensIn(await requestToken(stack(), refresh))
      expect(await revoke({ ...credentials, token: tokens.refresh_token })).toMatchObject(accepted)
      expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
    })

    it.each(['access_token', 'refresh_token', 'nonsense'])(
      'finds it under the hint %p, right or wrong (RFC 7009 §2.1)',
      async (token_type_hint) => {
        const { credentials, refresh, tokens } = await signedIn()
        expect(await revoke({ ...credentials, token: tokens.refresh_token, token_type_hint })).toMatchObject(accepted)
        expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
      },
    )

    it('answers 200 again to the same request', async () => {
      const { credentials, tokens } = await signedIn()
      for (let time = 0; time < 2; time += 1) {
        expect(await revoke({ ...credentials, token: tokens.refresh_token })).toMatchObject(accepted)
      }
    })

    it('revokes the tokens of one sign-in and of no other', async () => {
      const registered = await register(stack())
      const [one, other] = [await signIn(stack(), registered), await signIn(stack(), registered)]
      await revoke({ ...registered.credentials, token: one.tokens.refresh_token })
      expect((await requestToken(stack(), other.refresh)).status).toBe(200)
    })
  })

  describe('Given a token that the client may not revoke', () => {
    it.each(['unknown', 'a.b.c', 'é'])('answers 200 to %p, which was never issued (RFC 7009 §2.2)', async (token) => {
      const { credentials } = await register(stack())
      expect(await revoke({ ...credentials, token })).toMatchObject(accepted)
    })

    // [threat 45]
    it('answers 200 to another client’s, and revokes nothing (RFC 7009 §2.1)', async () => {
      const { refresh, tokens } = await signedIn()
      const { credentials } = await register(stack())
      for (const token of [tokens.refresh_token, tokens.access_token]) {
        expect(await revoke({ ...credentials, token })).toMatchObject(accepted)
      }
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })

    it('answers 200 to an access token that has expired, and revokes nothing', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      stack().advance(901)
      expect(await revoke({ ...credentials, token: tokens.access_token })).toMatchObject(accepted)
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })
  })

  describe('Given a request that is not valid', () => {
    it('answers invalid_request to no token, an empty one and two (RFC 7009 §2.2.1)', async () => {
      const { credentials } = await register(stack())
      for (const rest of ['', '&token=', '&token=a&token=b']) {
        expect(await revoke(`${new URLSearchParams(credentials)}${rest}`)).toMatchObject(refusal('invalid_request'))
      }
    })

    // [asvs 10.4.10]
    it('answers invalid_client to a wrong secret and an unknown client, and revokes nothing (RFC 7009 §2.1)', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      for (const change of [{ client_secret: 'wrong' }, { client_id: 'unknown' }]) {
        const answer = await revoke({ ...credentials, ...change, token: tokens.refresh_token })
        expect(answer).toMatchObject(refusal('invalid_client'))
      }
      expect((await requestToken(stack(), refresh)).status).toBe(200)
    })

    it('answers 401 with a challenge where Basic was tried', async () => {
      const authorization = `Basic ${Buffer.from('unknown:wrong').toString('base64')}`
      const answer = await revoke({ token: 'any' }, { authorization })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="oauth"'])
    })

    it('answers 405 to a GET, because a token must not be in a URL (RFC 7009 §2)', async () => {
      const response = await fetch(`${stack().baseUrl}/api/oauth/revoke?token=a`)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    })
  })

  describe('Given a public client', () => {
    it('revokes its own token without a secret, and no other client’s (RFC 7009 §2.1)', async () => {
      const registered = await register(stack(), { isPublic: true })
      const { client_id } = registered.credentials
      const s256 = { codeChallenge: challengeOf(VERIFIER), codeChallengeMethod: 'S256' }
      const request = { ...(await issueCode(stack(), registered, s256)), code_verifier: VERIFIER }
      const { refresh_token } = tokensIn(await requestToken(stack(), request))
      const theirs = await signedIn()
      expect(await revoke({ client_id, token: theirs.tokens.refresh_token })).toMatchObject(accepted)
      expect((await requestToken(stack(), theirs.refresh)).status).toBe(200)
      expect(await revoke({ client_id, token: refresh_token })).toMatchObject(accepted)
      const refresh = { client_id, grant_type: 'refresh_token', refresh_token }
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('Given a store that is unavailable', () => {
    it('answers 503, and revokes the token when it is sent again', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      const request = { ...credentials, token: tokens.refresh_token }
      stack().database.fail({ operation: 'PutItem', times: 10, kind: 'error' })
      expect(await revoke(request)).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
      stack().database.reset()
      expect(await revoke(request)).toMatchObject(accepted)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })
  })

  describe('Given a client library', () => {
    it('answers what openid-client understands', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      await openid.tokenRevocation(await discover(stack(), credentials), tokens.refresh_token)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })

    it('answers what oauth4webapi understands', async () => {
      const { credentials, refresh, tokens } = await signedIn()
      const server = { issuer: ISSUER, revocation_endpoint: `${ISSUER}/api/oauth/revoke` }
      const client = { client_id: credentials.client_id }
      const authentication = oauth.ClientSecretPost(credentials.client_secret)
      const options = { [oauth.customFetch]: fetchFrom(stack()) }
      const response = await oauth.revocationRequest(server, client, authentication, tokens.access_token, options)
      await oauth.processRevocationResponse(response)
      expect(await requestToken(stack(), refresh)).toMatchObject(refusal('invalid_grant'))
    })
  })
})
