import * as openid from 'openid-client'
import { type OauthLibrary, refusalOf } from './library.ts'

export const openidClient: OauthLibrary = {
  name: 'openid-client',
  async signIn({ issuer, client: { clientId, clientSecret, redirectUri }, visit, emailOf }) {
    const authentication = clientSecret === '' ? openid.None() : openid.ClientSecretBasic(clientSecret)
    const configuration = await openid.discovery(new URL(issuer), clientId, {}, authentication, {
      execute: [openid.allowInsecureRequests],
    })
    openid.enableNonRepudiationChecks(configuration)
    const checks = {
      pkceCodeVerifier: openid.randomPKCECodeVerifier(),
      expectedState: openid.randomState(),
      expectedNonce: openid.randomNonce(),
    }
    const link = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid profile email offline_access',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const tokens = await openid.authorizationCodeGrant(configuration, await visit(link.href), checks)
    const signedIn = await emailOf(tokens.access_token)
    const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    const refreshed = await emailOf(next.access_token)
    const refreshToken = next.refresh_token ?? ''
    await openid.tokenRevocation(configuration, refreshToken)
    return { signedIn, refreshed, refusal: await refusalOf(openid.refreshTokenGrant(configuration, refreshToken)) }
  },
}
