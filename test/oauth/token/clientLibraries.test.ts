import { describe, expect, it } from '@jest/globals'
import * as openid from 'openid-client'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { issueCode, REDIRECT_URI, register, VERIFIER } from './tokenRequests.ts'

const stack = useAccountsStack()

describe('A client library', () => {
  describe('openid-client', () => {
    it.each([
      ['its secret in the body', openid.ClientSecretPost],
      ['HTTP Basic', openid.ClientSecretBasic],
    ])('exchanges a code with PKCE and refreshes, with %s', async (_, authentication) => {
      const registered = await register(stack())
      const { client_id, client_secret } = registered.credentials
      const server = { issuer: ISSUER, token_endpoint: `${stack().baseUrl}/api/oauth/token` }
      const configuration = new openid.Configuration(server, client_id, {}, authentication(client_secret))
      openid.allowInsecureRequests(configuration)
      const s256 = { codeChallenge: challengeOf(VERIFIER), codeChallengeMethod: 'S256', scope: 'profile' }
      const { code } = await issueCode(stack(), registered, s256)

      const callback = new URL(`${REDIRECT_URI}?code=${code}`)
      const tokens = await openid.authorizationCodeGrant(configuration, callback, { pkceCodeVerifier: VERIFIER })
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'profile' })
      const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
      expect(refreshed.access_token).not.toBe(tokens.access_token)
      const again = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
      expect(again.refresh_token).toBe(refreshed.refresh_token)
      stack().advance(60)
      await expect(openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
    })
  })
})
