import { describe, expect, it } from '@jest/globals'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { AUDIENCE, ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, REDIRECT_URI, register, VERIFIER } from '../token/tokenRequests.ts'
import { discover, fetchFrom } from './stackClient.ts'

const stack = useAccountsStack()
const kinds = [
  ['confidential', false],
  ['public', true],
] as const

/** The address that the authorization endpoint sends the browser to, with a code in it (RFC 9207: and who issued it). */
async function callbackFor(registered: Awaited<ReturnType<typeof register>>): Promise<URL> {
  const s256 = { codeChallenge: challengeOf(VERIFIER), codeChallengeMethod: 'S256', scope: 'profile' }
  const { code } = await issueCode(stack(), registered, s256)
  return new URL(`${REDIRECT_URI}?${new URLSearchParams({ code, state: 'mine', iss: ISSUER })}`)
}

describe.each(kinds)('A %s client that finds everything by discovery', (_, isPublic) => {
  it('signs in, refreshes and revokes with openid-client', async () => {
    const registered = await register(stack(), { isPublic })
    const configuration = await discover(stack(), registered.credentials)
    const checks = { pkceCodeVerifier: VERIFIER, expectedState: 'mine' }
    const tokens = await openid.authorizationCodeGrant(configuration, await callbackFor(registered), checks)
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed).toMatchObject({ token_type: 'bearer', scope: 'profile', refresh_token: expect.any(String) })
    await openid.tokenRevocation(configuration, refreshed.refresh_token ?? '')
    await expect(openid.refreshTokenGrant(configuration, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  // [asvs 10.2.2] [threat 44]
  it('is refused by openid-client itself where another issuer answers (RFC 9207 §2.4)', async () => {
    const registered = await register(stack(), { isPublic })
    const configuration = await discover(stack(), registered.credentials)
    const callback = await callbackFor(registered)
    const checks = { pkceCodeVerifier: VERIFIER, expectedState: 'mine' }
    callback.searchParams.set('iss', 'https://evil.example.com')
    await expect(openid.authorizationCodeGrant(configuration, callback, checks)).rejects.toThrow()
    callback.searchParams.delete('iss')
    await expect(openid.authorizationCodeGrant(configuration, callback, checks)).rejects.toThrow()
  })

  it('signs in with oauth4webapi, whose resource server accepts the access token (RFC 9068 §4)', async () => {
    const registered = await register(stack(), { isPublic })
    const { client_id, client_secret } = registered.credentials
    const options = { [oauth.customFetch]: fetchFrom(stack()) }
    const issuer = new URL(ISSUER)
    const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const client = { client_id }
    const authentication = isPublic ? oauth.None() : oauth.ClientSecretPost(client_secret)
    const parameters = oauth.validateAuthResponse(server, client, await callbackFor(registered), 'mine')
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      REDIRECT_URI,
      VERIFIER,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)

    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const request = new Request(`${stack().baseUrl}/api/users/me`, { headers })
    const aheadBy = Math.round((stack().clock.now() - Date.now()) / 1000)
    const claims = await oauth.validateJwtAccessToken(server, request, AUDIENCE, {
      ...options,
      [oauth.clockSkew]: aheadBy,
    })
    expect(claims).toMatchObject({ iss: ISSUER, sub: registered.userId, client_id, scope: 'profile' })
  })
})
