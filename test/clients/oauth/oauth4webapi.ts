import * as oauth from 'oauth4webapi'
import { type OauthLibrary, refusalOf } from './library.ts'

export const oauth4webapi: OauthLibrary = {
  name: 'oauth4webapi',
  async signIn({ issuer, client: { clientId, clientSecret, redirectUri }, visit, emailOf }) {
    const options = { [oauth.allowInsecureRequests]: true }
    const found = await oauth.discoveryRequest(new URL(issuer), { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(new URL(issuer), found)
    const client = { client_id: clientId }
    const authentication = clientSecret === '' ? oauth.None() : oauth.ClientSecretPost(clientSecret)
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
    const link = `${server.authorization_endpoint}?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'profile',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })}`
    const response = oauth.validateAuthResponse(server, client, await visit(link), state)
    const parties = [server, client, authentication] as const
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(...parties, response, redirectUri, verifier, options),
    )
    const signedIn = await emailOf(tokens.access_token)
    const refresh = async (refreshToken = '') =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(...parties, refreshToken, options),
      )
    const next = await refresh(tokens.refresh_token)
    const refreshed = await emailOf(next.access_token)
    const revocation = await oauth.revocationRequest(...parties, next.refresh_token ?? '', options)
    await oauth.processRevocationResponse(revocation)
    return { signedIn, refreshed, refusal: await refusalOf(refresh(next.refresh_token)) }
  },
}
